import Texts

extension HTMLReport {
  /// SHA-256 of ``script``, as the page's policy names it; a test compares the two.
  package static let scriptHash = "sha256-6TYC46f72Tqk5bJsxL77a1khjDU3PqkpadhjXuMZq24="

  /// The page's only script, between the tags of its `script` element.
  ///
  /// It reads what stands in the page and shows or hides parts of it; no text of the report ever
  /// becomes markup or code.
  package static let script: StaticString = #"""
    //<![CDATA[
    (function () {
      'use strict';
      var root = document.documentElement;
      root.classList.add('js');
      function all(selector, within) {
        return Array.prototype.slice.call((within || document).querySelectorAll(selector));
      }

      // Light, dark, or as the system has it.
      var theme = document.getElementById('theme');
      var names = { auto: 'Auto', light: 'Light', dark: 'Dark' };
      var order = ['auto', 'light', 'dark'];
      function stored(value) {
        try {
          if (value) localStorage.setItem('touchstone-theme', value);
          return localStorage.getItem('touchstone-theme');
        } catch (error) { return value || null; }
      }
      function setTheme(name) {
        root.dataset.theme = name;
        theme.querySelector('.name').textContent = names[name];
        theme.setAttribute('aria-label', 'Colours: ' + names[name]);
      }
      theme.hidden = false;
      setTheme(names[stored()] ? stored() : 'auto');
      theme.addEventListener('click', function () {
        var next = order[(order.indexOf(root.dataset.theme) + 1) % order.length];
        stored(next);
        setTheme(next);
      });

      // Copies of commands.
      all('.copy').forEach(function (button) {
        var code = button.parentNode.querySelector('code');
        button.hidden = false;
        function say(word) {
          button.textContent = word;
          setTimeout(function () { button.textContent = 'Copy'; }, 1600);
        }
        function select() {
          var range = document.createRange();
          range.selectNodeContents(code);
          getSelection().removeAllRanges();
          getSelection().addRange(range);
          say(document.execCommand('copy') ? 'Copied' : 'Selected');
        }
        button.addEventListener('click', function () {
          if (!navigator.clipboard) return select();
          navigator.clipboard.writeText(code.textContent)
            .then(function () { say('Copied'); }, select);
        });
      });

      // What stands behind a cell: on hover, on tap, on focus.
      var tip = document.getElementById('tip');
      function hideTip() { tip.hidden = true; }
      function showTip(face) {
        var header = face.closest('tr').querySelector('th');
        var sentence = header.querySelector('.sentence');
        var column = face.closest('table').querySelectorAll('thead th')[face.parentNode.cellIndex];
        tip.textContent = '';
        var title = document.createElement('b');
        title.textContent = header.querySelector('code').textContent + ' on ' + column.textContent;
        tip.append(title);
        if (sentence) tip.append(sentence.textContent, document.createElement('br'));
        tip.append(face.dataset.tip);
        tip.hidden = false;
        var place = face.getBoundingClientRect(), size = tip.getBoundingClientRect();
        var top = place.bottom + 8;
        if (top + size.height > innerHeight) top = Math.max(8, place.top - size.height - 8);
        tip.style.top = top + 'px';
        tip.style.left = Math.max(8, Math.min(place.left, innerWidth - size.width - 8)) + 'px';
      }
      all('.matrix').forEach(function (table) {
        var rows = all('tbody tr', table).map(function (row) { return all('[data-tip]', row); })
          .filter(function (row) { return row.length > 0; });
        var at = null;
        rows.forEach(function (row, y) {
          row.forEach(function (face, x) {
            face.tabIndex = x === 0 && y === 0 ? 0 : -1;
            face.setAttribute('aria-describedby', 'tip');
            face.addEventListener('mouseenter', function () { showTip(face); });
            face.addEventListener('mouseleave', hideTip);
            face.addEventListener('click', function () { face.focus(); showTip(face); });
            face.addEventListener('blur', hideTip);
            face.addEventListener('focus', function () {
              (at || rows[0][0]).tabIndex = -1;
              at = face;
              face.tabIndex = 0;
              showTip(face);
            });
            face.addEventListener('keydown', function (event) {
              var step = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0],
                ArrowRight: [1, 0], Escape: [0, 0] }[event.key];
              if (!step) return;
              if (event.key === 'Escape') return hideTip();
              event.preventDefault();
              // Past rows that are folded or filtered away.
              for (var to = y + step[1]; rows[to]; to += step[1] || rows.length) {
                var next = rows[to][Math.max(0, Math.min(rows[to].length - 1, x + step[0]))];
                if (next.offsetParent) return next.focus();
              }
            });
          });
        });
      });

      // Families of laws fold; in a long report those without a failure are folded from the start.
      var folds = all('.fold');
      function fold(button, isFolded) {
        button.closest('tbody').classList.toggle('folded', isFolded);
        button.setAttribute('aria-expanded', String(!isFolded));
      }
      function isFolded(button) { return button.closest('tbody').classList.contains('folded'); }
      folds.forEach(function (button) {
        button.addEventListener('click', function () { fold(button, !isFolded(button)); });
        var failed = button.closest('tbody').querySelector('td.violated, td.errored');
        fold(button, !failed && all('.matrix tr.law').length > 40);
      });

      // Filters of laws and failures.
      var find = document.getElementById('find');
      if (find) {
        var text = find.querySelector('input'), who = find.querySelector('.who');
        var how = find.querySelector('.how'), unfold = find.querySelector('.unfold');
        var fits = function (words) {
          return words.toLowerCase().includes(text.value.trim().toLowerCase());
        };
        var filter = function () {
          var shown = 0, rowCount = 0, isOn = text.value.trim() || who.value || how.value;
          root.classList.toggle('finding', Boolean(isOn));
          all('.part').forEach(function (part) {
            var heads = all('thead th', part);
            var column = heads.findIndex(function (head) { return head.textContent === who.value; });
            var hasRows = false;
            all('tbody', part).forEach(function (family) {
              var isEmpty = true;
              all('tr', family).forEach(function (row) {
                var cells = all('td', row);
                if (who.value) cells = column > 0 ? [cells[column - 1]] : [];
                if (row.matches('.law')) {
                  rowCount += 1;
                  row.hidden = !fits(row.cells[0].textContent) || !cells.some(function (cell) {
                    return cell && (how.value ? cell.classList.contains(how.value)
                      : !who.value || !cell.classList.contains('absent'));
                  });
                  if (!row.hidden) { shown += 1; isEmpty = false; }
                }
              });
              family.hidden = isEmpty;
              hasRows = hasRows || !isEmpty;
            });
            part.hidden = !hasRows;
            all('tr', part).forEach(function (row) {
              Array.prototype.forEach.call(row.cells, function (cell, index) {
                cell.hidden = Boolean(who.value) && index > 0 && index !== column;
              });
            });
          });
          all('.failure').forEach(function (failure) {
            var party = failure.querySelector('.parties').dataset.subject;
            failure.hidden = !fits(failure.querySelector('.eyebrow code').textContent)
              || (who.value && party !== who.value)
              || (how.value && !failure.classList.contains(how.value));
          });
          all('details.law').forEach(function (law) { law.hidden = !fits(law.textContent); });
          find.querySelector('.tell').textContent = isOn ? shown + ' of ' + rowCount + ' laws' : '';
        };
        find.hidden = false;
        [text, who, how].forEach(function (control) { control.addEventListener('input', filter); });
        unfold.hidden = folds.length === 0;
        unfold.addEventListener('click', function () {
          var isAny = folds.some(isFolded);
          folds.forEach(function (button) { fold(button, !isAny); });
          unfold.textContent = isAny ? 'Fold all' : 'Unfold all';
        });
        if (!folds.some(isFolded)) unfold.textContent = 'Fold all';
      }

      // On paper nothing is folded.
      var opened = [];
      addEventListener('beforeprint', function () {
        opened = all('details:not([open])');
        opened.forEach(function (fold) { fold.open = true; });
      });
      addEventListener('afterprint', function () {
        opened.forEach(function (fold) { fold.open = false; });
      });

      // Space-time diagrams: whatever is pointed at decides the state that the panel shows.
      var rowHeight = 34, headHeight = 30;
      all('.story').forEach(function (story) {
        var buttons = all('.steps button', story), states = all('.state', story);
        var space = story.querySelector('.space'), cursor = space.querySelector('.cursor');
        var lane = Number(space.dataset.lane);
        // Step 0 is the start, before any step.
        function show(step, row) {
          states.forEach(function (state, index) {
            state.classList.toggle('shown', index === step);
          });
          buttons.forEach(function (button, index) {
            var isShown = index + 1 === step;
            button.setAttribute('aria-pressed', String(isShown));
            button.tabIndex = isShown || (step === 0 && index === 0) ? 0 : -1;
          });
          cursor.setAttribute('y', headHeight + row * rowHeight);
        }
        buttons.forEach(function (button, index) {
          function choose() { show(index + 1, index); }
          button.addEventListener('focus', choose);
          button.addEventListener('mouseenter', choose);
          button.addEventListener('click', choose);
          button.addEventListener('keydown', function (event) {
            var next = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0,
              End: buttons.length - 1 }[event.key];
            if (next === undefined) return;
            event.preventDefault();
            buttons[Math.max(0, Math.min(buttons.length - 1, next))].focus();
          });
        });
        function point(event) {
          var frame = space.getBoundingClientRect();
          var row = Math.floor((event.clientY - frame.top - headHeight) / rowHeight);
          var replica = String(Math.floor((event.clientX - frame.left) / lane));
          row = Math.min(row, buttons.length - 1);
          for (var step = row; step >= 0; step -= 1) {
            var changed = buttons[step].dataset.lane;
            if (changed === replica || changed === 'all') return show(step + 1, row);
          }
          show(0, row);
        }
        space.addEventListener('pointermove', point);
        space.addEventListener('click', point);
        var first = buttons.findIndex(function (button) {
          return button.getAttribute('aria-pressed') === 'true';
        });
        show(first + 1, first);
      });

      // A link to a step leads to it and shows its state; one to a law opens its fold.
      function follow() {
        var target = document.getElementById(location.hash.slice(1));
        if (target && target.matches('.steps button')) target.focus();
        if (target && target.matches('details')) target.open = true;
      }
      addEventListener('hashchange', follow);
      follow();
    }());
    //]]>
    """#
}
