extension HTMLReport {
  /// SHA-256 of ``style``, as the page's policy names it; a test compares the two.
  package static let styleHash = "sha256-Nk1JULICdjbybgPM8+SOrP1ftM9vbUaddKJxN39qWkA="

  /// The page's only style sheet, between the tags of its `style` element.
  ///
  /// Colours have names, and each name two values; everything else is the same in light and dark.
  /// No rule lets colour alone carry a meaning.
  package static let style: StaticString = #"""
    /*<![CDATA[*/
    :root {
      color-scheme: light dark;
      --page: #faf8f4; --card: #ffffff; --ink: #201d18; --soft: #696156; --line: #e3ddd2;
      --sunk: #f3efe7; --slab: #24211d; --streak: #d9a441; --link: #7a5410;
      --good: #23683f; --good-tint: #e6f2e9; --bad: #a8261c; --bad-tint: #fbe7e3;
      --warn: #7d5800; --warn-tint: #faf0d4; --way: #2a5f9e; --lane: #b9b0a2;
      --mark: #ffd9a8; --band: #d8cfc0;
    }
    @media screen and (prefers-color-scheme: dark) {
      :root:not([data-theme=light]) {
        --page: #161412; --card: #1e1b18; --ink: #ece6dc; --soft: #a69c8d; --line: #38332d;
        --sunk: #26221e; --slab: #0c0b0a; --streak: #e0b055; --link: #e2b867;
        --good: #7fcb98; --good-tint: #1b3325; --bad: #ff9186; --bad-tint: #46201c;
        --warn: #e6bd5c; --warn-tint: #3a2f14; --way: #84b6ee; --lane: #5f574d;
        --mark: #7a4b12; --band: #4a433a;
      }
    }
    :root[data-theme=light] { color-scheme: light; }
    @media screen {
      :root[data-theme=dark] {
        color-scheme: dark;
        --page: #161412; --card: #1e1b18; --ink: #ece6dc; --soft: #a69c8d; --line: #38332d;
        --sunk: #26221e; --slab: #0c0b0a; --streak: #e0b055; --link: #e2b867;
        --good: #7fcb98; --good-tint: #1b3325; --bad: #ff9186; --bad-tint: #46201c;
        --warn: #e6bd5c; --warn-tint: #3a2f14; --way: #84b6ee; --lane: #5f574d;
        --mark: #7a4b12; --band: #4a433a;
      }
    }

    * { box-sizing: border-box; }
    [hidden] { display: none !important; }
    html { scroll-padding-top: 4rem; -webkit-text-size-adjust: 100%; }
    body {
      margin: 0; background: var(--page); color: var(--ink);
      font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif;
      font-variant-numeric: tabular-nums;
    }
    code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono", monospace;
      font-size: .875em; }
    pre, td, th, p, li, dd, figcaption, code, h1, h3 { unicode-bidi: isolate; }
    body { overflow-wrap: break-word; }
    pre, .command code, dd { overflow-wrap: anywhere; }
    pre { margin: 0; white-space: pre-wrap; line-height: 1.55; }
    i { font-style: normal; }
    a { color: var(--link); text-underline-offset: .15em; }
    :focus-visible { outline: 2px solid var(--way); outline-offset: 2px; border-radius: 4px; }
    h1, h2, h3 { line-height: 1.2; text-wrap: balance; letter-spacing: -.01em; margin: 0; }
    h2 { font-size: 1.5rem; }
    h3 { font-size: 1.05rem; }
    main, footer { max-width: 72rem; margin: 0 auto; padding: 0 1.5rem; }
    main > section { padding: 3rem 0 0; }
    .note, .more, .facts, .legend { color: var(--soft); margin: .35rem 0 0; font-size: .9375rem; }
    .more { font-size: .875rem; margin-top: .6rem; }
    .note code { white-space: nowrap; }
    .again + .command { margin-top: .35rem; }
    .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    .skip { position: absolute; left: -100vw; top: 0; z-index: 9; background: var(--card);
      padding: .5rem 1rem; }
    .skip:focus { left: 1rem; top: .5rem; }

    .banner { position: sticky; top: 0; z-index: 5; display: flex; align-items: center;
      gap: 1.5rem; padding: .6rem max(1.5rem, calc((100vw - 69rem) / 2)); background: var(--page);
      border-bottom: 1px solid var(--line); font-size: .9375rem; }
    .brand { display: flex; align-items: center; gap: .55rem; color: var(--ink); font-weight: 650;
      text-decoration: none; }
    .slab { fill: var(--slab); stroke: var(--line); }
    .streak { stroke: var(--streak); stroke-width: 2.4; stroke-linecap: round; fill: none; }
    .streak.thin { stroke-width: 1.2; opacity: .7; }
    .banner nav { display: flex; gap: 1.1rem; margin-left: auto; overflow-x: auto;
      scrollbar-width: none; }
    .banner nav a { color: var(--soft); text-decoration: none; white-space: nowrap; }
    .banner nav a:hover { color: var(--ink); text-decoration: underline; }
    button.quiet { font: inherit; font-size: .8125rem; color: var(--soft); background: none;
      border: 1px solid var(--line); border-radius: 6px; padding: .2rem .6rem; cursor: pointer;
      white-space: nowrap; }
    button.quiet:hover { color: var(--ink); border-color: var(--soft); }

    .verdict h1 { font-size: clamp(1.75rem, 4.5vw, 2.75rem); font-weight: 680; display: flex;
      gap: .6em; align-items: center; letter-spacing: -.022em; }
    .seal { flex: none; width: 1.5em; height: 1.5em; border-radius: .4em; display: grid;
      place-items: center; font-size: .72em; background: var(--slab); color: var(--streak); }
    .verdict.held .seal { background: var(--good); color: var(--page); }
    .verdict.violated .seal { background: var(--bad); color: var(--page); }
    .verdict.failed .seal { background: var(--warn); color: var(--page); }
    .verdict .facts { font-size: 1.0625rem; margin-top: .9rem; }
    .index { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .9rem 1.25rem;
      margin: 1.5rem 0 0; align-items: baseline; }
    .index dt { font-weight: 600; }
    .index dd { margin: 0; display: flex; flex-wrap: wrap; gap: .35rem; }
    .chip { background: var(--bad-tint); color: var(--bad); border-radius: 6px;
      padding: .1rem .55rem; font-size: .9375rem; text-decoration: none; }
    .chip.errored, .chip.flaky { background: var(--warn-tint); color: var(--warn); }
    .chip:hover { text-decoration: underline; }
    .chip i { font-weight: 700; font-size: .8125rem; }
    .ways { font-size: .8125rem; opacity: .8; }
    .reasons { margin: 1.25rem 0 0; padding: 0 0 0 1.1rem; max-width: 52rem; }
    .reasons li { margin: .2rem 0; }
    .reasons li::marker { color: var(--soft); }
    .verdict .again { margin-top: 1.25rem; }
    .command { display: flex; align-items: center; gap: .75rem; margin-top: 1.25rem;
      padding: .5rem .6rem .5rem .9rem; background: var(--sunk); border-radius: 8px;
      width: fit-content; max-width: 100%; }
    .command code span { display: inline-block; max-width: 100%; }
    .command code::before { content: "$ "; color: var(--soft); }

    .scroll { position: relative; overflow-x: auto; margin-top: 1rem; border: 1px solid var(--line);
      border-radius: 10px; background: var(--card); }
    table { border-collapse: collapse; width: 100%; text-align: left; font-size: .9375rem; }
    th { font-weight: 500; }
    thead th { font-size: .8125rem; font-weight: 600; color: var(--soft); }
    .scroll th, .scroll td { padding: .5rem .9rem; vertical-align: top; }
    .scroll tbody tr { border-top: 1px solid var(--line); }
    .scroll .words { color: var(--soft); min-width: 15rem; }
    .scroll thead th { padding-block: .6rem; white-space: nowrap; }
    .figure { text-align: right; white-space: nowrap; }
    .sentence { display: block; color: var(--soft); font-size: .875rem; font-weight: 400;
      max-width: 34rem; }
    .standing { white-space: nowrap; }
    .standing i, .matrix i { display: inline-block; min-width: 1em; text-align: center; font-weight: 700; }
    .standing.held i { color: var(--good); }
    .standing.violated, .standing.violated i { color: var(--bad); font-weight: 600; }
    .standing.errored, .standing.errored i { color: var(--warn); font-weight: 600; }
    .standing.known i { color: var(--warn); }
    .standing.skipped, .standing.absent { color: var(--soft); }
    .rest { display: block; color: var(--soft); font-size: .875rem; white-space: nowrap;
      padding-left: 1.25em; }
    .subjects th, .subjects td:nth-child(2) { white-space: nowrap; }
    #implementations thead th:nth-child(n+2):not(:last-child), #runs thead th:nth-child(3) {
      text-align: right; }
    tr.absent th, tr.absent td { color: var(--soft); }

    .legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font-size: .875rem; }
    .part { margin-top: 2rem; }
    .part > .scroll { max-height: calc(100vh - 5rem); overflow: auto; width: fit-content;
      max-width: 100%; }
    @media screen and (min-width: 76rem) { .part > .scroll { max-width: calc(50% + 50vw - 2rem); } }
    .matrix { width: auto; }
    .matrix thead th { position: sticky; top: 0; z-index: 2; background: var(--card);
      box-shadow: inset 0 -1px var(--line); }
    .matrix thead th:first-child { left: 0; z-index: 3; border-right: 1px solid var(--line); }
    .matrix tbody th { position: sticky; left: 0; background: var(--card); white-space: nowrap;
      border-right: 1px solid var(--line); font-weight: 500; }
    .matrix th a { color: inherit; text-decoration: none; }
    .matrix th a:hover { text-decoration: underline; }
    .matrix .sentence { display: none; }
    .matrix .word { color: var(--soft); }
    .matrix .fold { all: unset; cursor: pointer; }
    .matrix .fold:focus-visible { outline: 2px solid var(--way); border-radius: 4px; }
    .matrix .fold::before { content: "▾"; display: inline-block; width: 1.1em; color: var(--soft); }
    .matrix .folded .fold::before { content: "▸"; }
    .matrix .fold .ways { margin-left: .6em; color: var(--soft); }
    .matrix .head > * { background: var(--sunk); }
    .matrix .head + tr th, .matrix .head ~ tr th { padding-left: 2rem; }
    #find { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-top: 1.25rem; }
    #find input, #find select { font: inherit; font-size: .875rem; color: var(--ink);
      background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .3rem .5rem;
      max-width: 100%; }
    #find input { width: 15rem; }
    #find .tell { color: var(--soft); font-size: .875rem; }
    .demands { margin-top: 1rem; border: 1px solid var(--line); border-radius: 10px;
      background: var(--card); }
    details.law { margin: 0; padding: .45rem .9rem; }
    details.law + details.law { border-top: 1px solid var(--line); }
    details.law > summary { width: auto; color: var(--ink); }
    details.law > summary code { color: var(--soft); margin-right: .4em; }
    details.law > p { margin: .5rem 0 0; max-width: 52rem; }
    details.law dl { display: grid; grid-template-columns: max-content minmax(0, 1fr);
      gap: .2rem 1.25rem; margin: .6rem 0 .3rem; font-size: .9375rem; }
    details.law dt { color: var(--soft); grid-column: 1; }
    details.law dd { margin: 0; grid-column: 2; }
    .cause { margin: 2rem 0 0; padding-left: .9rem; border-left: 3px solid var(--bad); }
    .permalink { color: var(--soft); text-decoration: none; margin-left: auto; }
    .scroll .matrix td, .scroll .matrix tbody th { padding-block: .22rem; }
    .scroll .matrix td { padding-inline: .3rem; }
    .scroll .matrix thead th + th { padding-inline: .85rem; }
    .scroll .matrix tbody tr { border-top: 0; }
    .matrix tbody { border-top: 1px solid var(--line); }
    .matrix thead th { white-space: normal; vertical-align: bottom; overflow-wrap: break-word; }
    .matrix thead th + th { width: 8rem; }
    .matrix td > * { display: block; width: fit-content; min-width: 6.5rem; padding: .12rem .55rem; border-radius: 6px; white-space: nowrap;
      color: inherit; text-decoration: none; }
    .matrix td.held i { color: var(--good); }
    .matrix td.held, .matrix td.skipped, .matrix td.absent { color: var(--soft); }
    .matrix td.violated > * { background: var(--bad-tint); color: var(--bad); font-weight: 600; }
    .matrix td.errored > * { background: var(--warn-tint); color: var(--warn); font-weight: 600; }
    .matrix td.known > * { color: var(--warn); box-shadow: inset 0 0 0 1px var(--warn-tint);
      background: var(--warn-tint); }
    .matrix td > a:hover { text-decoration: underline; text-underline-offset: .2em; }
    .matrix b { font-weight: inherit; opacity: .85; }
    #tip { position: fixed; z-index: 8; max-width: 24rem; background: var(--slab); color: #f4eee3;
      padding: .6rem .8rem; border-radius: 8px; font-size: .875rem; line-height: 1.45;
      white-space: pre-line; pointer-events: none; box-shadow: 0 6px 24px rgb(0 0 0 / .25); }
    #tip b { display: block; font-weight: 600; }

    .failure { margin-top: 1.5rem; padding: 1.5rem 1.75rem 1.25rem; background: var(--card);
      border: 1px solid var(--line); border-top: 3px solid var(--bad); border-radius: 10px; }
    .failure.errored, .failure.flaky { border-top-color: var(--warn); }
    .eyebrow { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0 0 .6rem;
      font-size: .9375rem; color: var(--soft); }
    .kind { color: var(--bad); font-weight: 650; }
    .errored .kind, .flaky .kind { color: var(--warn); }
    .failure h3 { font-size: 1.375rem; max-width: 46rem; }
    .demand { margin: .3rem 0 0; color: var(--soft); max-width: 46rem; }
    .summary { margin: .6rem 0 0; }
    .class { color: var(--soft); font-size: .8125rem; border: 1px solid var(--line);
      border-radius: 99px; padding: .05rem .55rem; margin-left: .25rem; white-space: nowrap; }
    .pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr));
      gap: .75rem; margin-top: 1rem; }
    figure { margin: 0; background: var(--sunk); border-radius: 8px; padding: .6rem .9rem .7rem;
      min-width: 0; }
    figcaption { font-size: .8125rem; color: var(--soft); margin-bottom: .2rem; }
    mark { background: var(--mark); color: inherit; border-radius: 3px; padding: .05em .15em;
      margin: 0 -.05em; text-decoration: underline; text-underline-offset: .2em; font-weight: 600; }
    figure em, .words em { color: var(--soft); }

    .story { display: grid; grid-template-columns: minmax(0, 1.35fr) minmax(0, 1fr); gap: 1.5rem;
      margin-top: 1.5rem; align-items: start; }
    .trace { display: grid; grid-template-columns: auto minmax(0, 1fr); }
    .space { display: block; touch-action: manipulation; }
    .space .replica { fill: var(--soft); font-size: 13px; text-anchor: middle; font-weight: 600; }
    .life path { stroke: var(--lane); stroke-width: 2; fill: none; }
    .cut rect { fill: var(--band); opacity: .5; stroke: var(--soft); stroke-dasharray: 2 3; }
    .clog rect { fill: none; stroke: var(--soft); stroke-dasharray: 3 4; }
    .way path { stroke: var(--way); stroke-width: 1.8; fill: none; }
    .way .head { fill: var(--way); stroke: none; }
    .loss path { stroke: var(--bad); stroke-dasharray: 4 4; }
    .loss .lost { stroke-width: 2.6; stroke-dasharray: none; stroke-linecap: round; }
    .pending path { stroke-dasharray: 1.5 5; stroke-linecap: round; }
    .branch path { stroke: var(--lane); stroke-width: 2; fill: none; }
    .heal rect { fill: var(--good-tint); stroke: var(--good); stroke-width: 1.4; }
    .heal.parted rect { fill: var(--bad-tint); stroke: var(--bad); stroke-width: 2; }
    .mark circle, .mark rect { fill: var(--card); stroke: var(--ink); stroke-width: 2; }
    .mark path { stroke: var(--ink); stroke-width: 2.4; stroke-linecap: round; fill: none; }
    .mark.edit circle { fill: var(--ink); stroke: var(--card); }
    .mark.send circle { stroke: var(--way); }
    .mark.arrival circle { fill: var(--way); stroke: var(--card); stroke-width: 1; }
    .mark.restart path { stroke: var(--bad); }
    .mark.differs circle { fill: var(--bad-tint); stroke: var(--bad); stroke-width: 1.6; }
    .space .faded { opacity: .32; }
    .cursor { fill: var(--sunk); }
    .steps .differs::before { content: "≠"; }
    .steps { list-style: none; margin: 0; padding: 30px 0 0; min-width: 0; }
    .steps { counter-reset: step; }
    .steps li { height: 34px; counter-increment: step; }
    .steps button::before { content: counter(step); display: inline-block; width: 1.5em;
      margin-right: .75em; text-align: right; color: var(--soft); font-size: .8125rem; }
    .steps button { all: unset; box-sizing: border-box; display: block; width: 100%; height: 34px;
      line-height: 34px; padding: 0 .6rem; border-radius: 0 6px 6px 0; cursor: pointer;
      overflow: hidden; white-space: nowrap; text-overflow: ellipsis; font-size: .9375rem; position: relative; }
    .steps button:focus-visible { outline: 2px solid var(--way); outline-offset: -2px; }
    .steps code { font-weight: 550; overflow-wrap: normal; }
    .steps .faded code { font-weight: 400; color: var(--soft); }
    .js .steps [aria-pressed=true] { background: var(--sunk); }
    .panel { display: grid; min-width: 0; border-left: 1px solid var(--line); padding-left: 1.5rem; }
    .js .panel { position: sticky; top: 4.5rem; }
    .state { min-width: 0; }
    .js .state { grid-area: 1 / 1; visibility: hidden; }
    .js .state.shown { visibility: visible; }
    .when { margin: 0; font-weight: 600; }
    .differs { color: var(--bad); font-size: .8125rem; margin-left: .6rem; font-weight: 600; }
    .differs::before { content: "≠ "; }
    .step { margin: .1rem 0 0; color: var(--soft); }
    .panel .pair { margin-top: .75rem; }
    details { margin-top: .75rem; }
    td details { margin: 0; }
    summary { cursor: pointer; color: var(--soft); font-size: .9375rem; width: fit-content; }
    summary:hover { color: var(--ink); }
    details pre { margin-top: .5rem; padding: .7rem .9rem; background: var(--sunk); border-radius: 8px; }
    .sides .pair { margin-top: .5rem; }
    .sides pre { margin: 0; padding: 0; background: none; }
    .listing { position: relative; }
    .listing .copy { position: absolute; top: .5rem; right: .5rem; background: var(--card); }
    .listing pre { max-height: 32rem; overflow: auto; }
    .failure > .facts { font-size: .875rem; margin-top: .75rem; }

    .columns { display: grid; gap: 2rem 3rem; margin-top: 1.5rem;
      grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); }
    .columns > div { min-width: 0; }
    .columns + h3, h3.waypoints { margin-top: 2.5rem; }
    #counts > h3 { margin-top: 2.5rem; }
    .bars { margin-top: .6rem; font-size: .875rem; }
    .bars th { padding: .16rem .75rem .16rem 0; width: 40%; }
    .bars td { padding: .16rem 0; }
    .bars .figure { padding-left: .75rem; width: 4.5rem; }
    .bar svg { display: block; width: 100%; height: 8px; border-radius: 4px; }
    .bar rect, .histogram rect { fill: var(--streak); }
    .bar rect.track { fill: var(--sunk); }
    .fates dd { display: block; }
    .fates ul { list-style: none; margin: 0; padding: 0; }
    .fates li + li { margin-top: .35rem; }
    .fates .rest { padding-left: 0; white-space: normal; }
    .chip.fixed { background: var(--good-tint); color: var(--good); }
    .chip.fewerCases, .chip.known, .chip.noResult, .chip.unjudged { background: var(--sunk);
      color: var(--soft); }
    #earlier h3 { margin-top: 2rem; }
    .trend .bar svg { height: 24px; border-radius: 0; }
    .trend .failures rect.value { fill: var(--bad); }
    .trend th { overflow-wrap: anywhere; }
    .trend .figure { width: 6.5rem; }
    .histogram { display: flex; align-items: end; gap: .4rem; margin-top: .8rem; overflow-x: auto; }
    .histogram > div { flex: 1 1 0; min-width: 2.4rem; text-align: center; font-size: .8125rem; }
    .histogram svg { display: block; width: 100%; height: 88px; }
    .histogram .figure { color: var(--soft); }
    .histogram .size { display: block; border-top: 1px solid var(--lane); padding-top: .2rem; }
    .scroll:has(> .samples) { width: fit-content; max-width: 100%; }
    .values thead th:nth-child(2), .samples thead th + th { text-align: right; }
    .tried { display: inline-block; margin-right: .9em; color: var(--soft); }
    .tried b { font-weight: 600; color: var(--ink); }
    .tried.never, .tried.never b { color: var(--warn); }
    .values td { min-width: 5rem; }
    .values td:last-child { min-width: 18rem; }
    .values .none { color: var(--soft); }
    .known .explained { display: block; white-space: nowrap; }
    .known .explained code { margin-right: .3em; }
    .matrix .members { display: none; }
    .faults thead th { white-space: normal; vertical-align: bottom; overflow-wrap: break-word; }
    .faults thead th.figure { width: 8rem; }
    .faults .none { color: var(--soft); opacity: .6; }
    .scroll .faults th, .scroll .faults td { padding-block: .28rem; }
    .alarm { color: var(--bad); font-weight: 600; }
    tr.lives th { box-shadow: inset 3px 0 0 var(--bad); }
    .clock { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1rem 2rem;
      margin: 1rem 0 0; }
    .clock dt { color: var(--soft); font-size: .8125rem; }
    .clock dd { margin: 0; }
    .remarks { padding-left: 1.1rem; }
    footer { padding-block: 3rem; color: var(--soft); font-size: .9375rem; }

    @media (max-width: 56rem) {
      .story { grid-template-columns: minmax(0, 1fr); }
      .panel { border-left: 0; padding-left: 0; border-top: 1px solid var(--line); padding-top: .9rem; }
      .js .panel { position: static; }
    }
    @media (max-width: 40rem) {
      html { scroll-padding-top: 6rem; }
      main, footer { padding-inline: 1rem; }
      .banner { padding-inline: 1rem; gap: .9rem; flex-wrap: wrap; row-gap: .3rem; }
      .banner nav { order: 3; width: 100%; margin: 0; gap: .1rem .8rem; flex-wrap: wrap;
        font-size: .875rem; }
      #theme { margin-left: auto; }
      .failure { padding: 1.1rem 1rem; }
      .index { grid-template-columns: minmax(0, 1fr); gap: .3rem; }
      .index dd { margin-bottom: .6rem; }
      .steps button { padding: 0 .35rem; font-size: .8125rem; line-height: 1.25; display: flex;
        align-items: center; white-space: normal; }
      .steps button::before { display: none; }
      .steps code { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2;
        overflow: hidden; overflow-wrap: anywhere; font-size: .75rem; }
      :is(.subjects, .standings) :is(tr, th, td) { display: block; }
      :is(.subjects, .standings) thead, .standings td:empty { display: none; }
      .scroll :is(.subjects, .standings) tr { padding: .5rem 0; }
      .scroll :is(.subjects, .standings) :is(th, td) { padding-block: .1rem; white-space: normal;
        text-align: left; overflow-wrap: anywhere; }
      .subjects th, .standings th { font-weight: 650; }
      .subjects td:nth-child(2)::before { content: "Version "; color: var(--soft); }
      /* Numbers say nothing without the name of their column. */
      .standings td::before { content: attr(data-label) ": "; color: var(--soft); font-weight: 400; }
      .scroll th, .scroll td { padding-inline: .65rem; }
      .scroll .words { min-width: 9rem; }
      .scroll :is(.waypoints, .known) :is(th, td) { padding-inline: .4rem; }
      .known .explained { white-space: normal; }
      .values td:last-child { min-width: 11rem; }
      .matrix tbody th, .matrix thead th:first-child { width: 9.5rem; min-width: 9.5rem;
        white-space: normal; overflow-wrap: anywhere; font-size: .875rem; }
      .matrix .head ~ tr th { padding-left: .65rem; }
      .matrix td > * { min-width: 4.5rem; }
      details.law dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
      details.law dd, details.law dt { grid-column: 1; }
      #find input { width: 100%; }
    }
    @media screen {
      .js:not(.finding) .folded .law { display: none; }
    }
    @media print {
      @page { margin: 10mm; }
      :root { font-size: 10px; color-scheme: light; --page: #ffffff; }
      body { font-size: 10px; line-height: 1.35; }
      .banner nav, #theme, .copy, #find, .permalink, .skip { display: none; }
      .banner, .matrix thead th, .matrix tbody th, .js .panel { position: static; }
      .banner { padding-block: 0 .2rem; }
      main, footer { max-width: none; padding: 0; }
      footer { padding-top: .6rem; }
      main > section { padding-top: 1rem; }
      .verdict h1 { font-size: 1.9rem; }
      h2 { font-size: 1.4rem; }
      #counts > h3, #earlier h3, .part { margin-top: 1rem; }
      h2, h3, section > .note, .legend, .cause, .eyebrow, .demand, .summary, summary {
        break-after: avoid; }
      .cause, .eyebrow, .failure h3, .demand, .summary, .pair > figure { break-inside: avoid; }
      .command, .index { margin-top: .6rem; }
      .scroll, .part > .scroll { overflow: visible; max-height: none; border-radius: 0;
        margin-top: .4rem; }
      .part > .scroll, .subjects { width: 100%; }
      /* A table of one or two subjects leaves room beside it. */
      .part.slim > .scroll { columns: 2; column-gap: 1.5rem; border: 0; background: none; }
      .demands { columns: 3; column-gap: 1.2rem; border: 0; background: none; font-size: 8px;
        line-height: 1.2; margin-top: .4rem; }
      details.law { padding: .2rem 0; }
      details.law > summary, details.law dl { font-size: 8px; }
      details.law > summary { list-style: none; font-weight: 600; }
      details.law > summary code { font-weight: 400; }
      details.law > p, details.law dl, details.law :is(dt, dd) { display: inline; }
      details.law dt::before { content: " "; }
      details.law dt::after { content: ": "; }
      details.law dd + dd::before { content: " · "; color: var(--soft); }
      /* The same command for each law; the note above them names it. */
      details.law .again { display: none; }
      .matrix, .subjects { min-width: 0; width: 100%; table-layout: fixed; }
      .matrix thead th, .matrix thead th + th { width: auto; font-size: 8.5px;
        overflow-wrap: anywhere; }
      .matrix thead th:first-child { width: 34%; }
      .slim .matrix thead th:first-child { width: 60%; }
      .matrix td > * { min-width: 0; padding-inline: .1rem; white-space: normal; }
      .matrix tbody th, .subjects th, .subjects td:nth-child(2), .rest { white-space: normal;
        overflow-wrap: anywhere; }
      /* A family whose laws all came out alike is one row that names them. */
      .even .law { display: none; }
      .matrix .even .members { display: block; padding-left: 1.1em; color: var(--ink);
        font-weight: 400; }
      .matrix .fold::before { display: none; }
      .subjects th:nth-child(1) { width: 16%; }
      .subjects th:nth-child(2) { width: 9%; }
      .subjects th:nth-child(3) { width: 22%; }
      .scroll .words { min-width: 0; }
      table, .bars, .note, .sentence, .legend, .rest, .facts, .more { font-size: 9px; }
      .scroll th, .scroll td { padding: .08rem .4rem; }
      .scroll .matrix td, .scroll .matrix tbody th { padding: .03rem .4rem; line-height: 1.3; }
      .scroll .faults th, .scroll .faults td, .bars th, .bars td { padding-block: 0; }
      .matrix .head + tr th, .matrix .head ~ tr th { padding-left: 1.6rem; }
      .matrix td > * { padding-block: 0; }
      .known td br { display: none; }
      .known td code::after { content: ": "; }
      .columns { grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .6rem 1.5rem;
        margin-top: .6rem; }
      .clock { gap: .4rem 1.5rem; margin-top: .5rem; }
      .histogram, .histogram svg { height: auto; margin-top: .2rem; }
      .histogram svg { height: 40px; }
      .failure { margin-top: .8rem; padding: .6rem .8rem; border-radius: 0; border-inline: 0;
        box-decoration-break: clone; }
      .failure h3 { font-size: 1.15rem; }
      .story { grid-template-columns: minmax(0, 1fr); margin-top: .6rem; gap: .6rem; }
      .trace { break-inside: avoid; }
      .js .state { grid-area: auto; visibility: visible; }
      .panel { display: block; columns: 4; column-gap: .8rem; border-left: 0; padding: .4rem 0 0; }
      .state { margin-bottom: .5rem; break-inside: avoid; }
      .state .pair { display: block; }
      /* Two states are read beside each other. */
      .state:has(figure + figure) { column-span: all; }
      .state:has(figure + figure) .pair { display: grid; }
      /* What is folded at first stands beside the history as well. */
      .sides:not([open]) { display: none; }
      .pair { margin-top: .4rem; gap: .4rem; }
      .panel .pair { margin-top: .2rem; }
      figure { padding: .25rem .5rem; border-radius: 4px; margin-bottom: .25rem; }
      pre { line-height: 1.25; }
      .panel pre, .panel .step, .sides pre, .reproducer pre, details pre { font-size: 8px; }
      /* The test holds the history as it stands there. */
      .told:has(+ .reproducer) { display: none; }
      .reproducer pre { columns: 2; column-gap: 1.2rem; padding: .4rem .6rem; }
      details { margin-top: .4rem; }
      details::details-content { content-visibility: visible; block-size: auto; }
      .listing { break-inside: avoid; }
      .listing pre { max-height: none; }
      tr, dd { break-inside: avoid; }
    }
    @media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
    /*]]>*/
    """#
}
