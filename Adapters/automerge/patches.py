"""Patches of the real Automerge: the binding has them as texts alone, in Rust's debug format."""
import re, struct
from automerge.core import ObjType

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?(?:inf|\d[\w.+-]*)|\w+|[\[\](){},:]')
ESCAPE = re.compile(r"\\(?:u\{(\w+)\}|(.))")
ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "0": "\0"}


def unescaped(text):
    return ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else
                      ESCAPES.get(found[2], found[2]), text[1:-1])


def parsed(text):
    """`Name(a, b)` and `Name { a: b }` as (name, [a, b]) and (name, {"a": b}); a name alone with None."""
    tokens = TOKEN.findall(text)[::-1]

    def items(end, read):
        found = []
        while tokens[-1] != end:
            found.append(read())
            if tokens[-1] == ",":
                tokens.pop()
        tokens.pop()
        return found

    def pair():
        key = value()
        tokens.pop()
        return (key if isinstance(key, str) else key[0]), value()

    def value():
        token = tokens.pop()
        if token[0] == '"':
            return unescaped(token)
        if token in "[(":
            return items({"[": "]", "(": ")"}[token], value)
        if token == "{":
            return dict(items("}", pair))
        if token[0] in "-0123456789" or token in ("inf", "NaN"):
            return token
        if tokens and tokens[-1] in ("(", "{"):
            return token, value()
        return token, None

    return value()


def scalar(value):
    """A scalar as its kind and its text; the kind alone of a NaN, since all NaNs are spelled alike."""
    kind, rest = value
    text = rest[0] if isinstance(rest, list) else None
    if kind == "F64":
        bits = struct.pack(">d", float(text)).hex()
        return ["hidden", "float"] if text == "NaN" else ["float", bits]
    if kind == "Str":
        return ["string", text]
    if kind == "Bytes":
        return ["bytes", bytes(map(int, text)).hex()]
    if kind == "Boolean":
        return ["boolean", text[0]]
    if kind == "Counter":
        return ["counter", rest[0][1]["current"]]
    if kind == "Unknown":
        return ["unknown", rest["type_code"], bytes(map(int, rest["bytes"])).hex()]
    return [kind.lower()] if text is None else [kind.lower(), text]


EMPTY = {"Map": {"map": []}, "List": {"list": []}, "Text": {"text": "", "length": 0, "elements": []}}


def value_of(content, identity):
    """A value as in an observation; an object is empty."""
    counter, (_, (actor,)), _ = identity[1]
    name = f"{counter}@{actor}"
    kind, (inner,) = content
    return [name, "object", {"id": name, **EMPTY[inner[0]]}] if kind == "Object" else \
        [name, *scalar(inner)]


def slot(prop):
    kind, (place,) = prop
    return place if kind == "Map" else int(place)


def inserted(node):
    """The values of a tree, from left to right."""
    children = node[1]["children"]
    for index, element in enumerate(node[1]["elements"]):
        yield from inserted(children[index]) if children else ()
        yield element
    yield from inserted(children[-1]) if children else ()


def native(identity):
    """The binding's bytes of an object's id."""
    if identity[1] is None:
        return b"\0"
    counter, (_, (actor,)), index = identity[1]

    def leb128(number):
        return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + leb128(number >> 7)

    data = bytes.fromhex(actor)
    return bytes([0x10, len(data)]) + data + leb128(int(index)) + leb128(int(counter))


def translated(text, is_text, nan_mark):
    """The patches of the line protocol that a patch of the binding is.

    `is_text` says what an object's bytes name; `nan_mark` gives the NaN that an object is marked with.
    """
    fields = parsed(text)[1]

    def marked(start, end, name, value):
        kind = ["float", nan_mark(native(fields["obj"]), name, start)] \
            if scalar(value) == ["hidden", "float"] else scalar(value)
        return [start, end, name, *kind]

    path = [slot(prop) for _, prop in fields["path"]]
    action, parts = fields["action"]
    if action in ("PutMap", "PutSeq"):
        place = parts["key"] if action == "PutMap" else int(parts["index"])
        yield ["put", path, place, value_of(*parts["value"])]
        if parts["conflict"][0] == "true":
            yield ["conflict", path, place]
    elif action == "Insert":
        start = int(parts["index"])
        root = parts["values"][1]["root_node"][1]
        elements = list(inserted(root[0])) if root else []
        values = [value_of(content, identity) for content, identity, _ in elements]
        yield ["insert", path, start, values]
        is_wide, places = is_text(native(fields["obj"])), [start]
        for value in values:
            width = len(value[2]) if is_wide and value[1] == "string" else 1
            places.append(places[-1] + width)
        for place, (_, _, conflict) in zip(places, elements):
            if conflict[0] == "true":
                yield ["conflict", path, place]
        marks = parts["marks"][1][0][1]["marks"] if parts["marks"][1] else {}
        if marks and places[-1] > start:
            yield ["marks", path, [marked(start, places[-1], name, mark)
                                   for name, mark in sorted(marks.items())]]
    elif action == "Increment":
        yield ["increment", path, slot(parts["prop"]), parts["value"]]
    elif action == "Conflict":
        yield ["conflict", path, slot(parts["prop"])]
    elif action == "DeleteMap":
        yield ["deleteKey", path, parts["key"]]
    elif action == "DeleteSeq":
        yield ["deleteRange", path, int(parts["index"]), int(parts["length"])]
    elif action == "Mark":
        found = [(int(mark["start"]), int(mark["end"]), *mark["data"][1].values())
                 for _, mark in parts["marks"]]
        yield ["marks", path, [marked(*mark) for mark in found if mark[0] < mark[1]]]
    else:
        raise ValueError(f"an unknown action: {action}")


def difference(doc, before, after):
    """The patches of the line protocol from the state at some heads to that at others."""

    def is_text(obj):
        return doc.object_type(obj) == ObjType.Text

    def nan_mark(obj, name, start):
        """Of the NaN under a name the one at the place; marks of a difference are those of its end."""
        marks = [mark for mark in doc.marks(obj, after)
                 if mark.name == name and mark.value[1] != mark.value[1]]
        marks.sort(key=lambda mark: not mark.start <= start < mark.end)
        return struct.pack(">d", marks[0].value[1]).hex() if marks else "7ff8000000000000"

    return [patch for found in doc.diff(before, after)
            for patch in translated(repr(found), is_text, nan_mark)]
