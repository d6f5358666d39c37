extension AdapterTemplate {
  static let goManifest = """
    module adapter

    go 1.21

    """

  static let goMain = ##"""
    // A template for adapters: a toy CRDT behind the line protocol, in Go without modules.
    //
    // What you change is marked with "YOURS". The rest reads requests and writes answers, and may stay.
    package main

    import (
    	"bufio"
    	"encoding/json"
    	"errors"
    	"fmt"
    	"io"
    	"os"
    	"sort"
    )

    // Stamp is unique and totally ordered: a clock greater than any that its writer has seen, and the writer.
    type Stamp struct {
    	Clock  int
    	Writer string
    }

    // Write sets a key; a nil value deletes it.
    type Write struct {
    	Key   string
    	Value []string
    }

    // Document is YOURS: the implementation to judge. This toy is a map of scalars in which the last writer
    // of a key wins. A replica keeps a log of writes. Logs are sets, so to merge is to unite.
    type Document struct {
    	writer string
    	clock  int
    	log    map[Stamp]Write
    }

    func newDocument(writer string) *Document {
    	return &Document{writer: writer, log: map[Stamp]Write{}}
    }

    func (d *Document) write(key string, value []string) {
    	d.clock++
    	d.log[Stamp{d.clock, d.writer}] = Write{key, value}
    }

    func (d *Document) show() map[string][]string {
    	stamps := make([]Stamp, 0, len(d.log))
    	for stamp := range d.log {
    		stamps = append(stamps, stamp)
    	}
    	sort.Slice(stamps, func(i, j int) bool {
    		a, b := stamps[i], stamps[j]
    		return a.Clock < b.Clock || a.Clock == b.Clock && a.Writer < b.Writer
    	})
    	shown := map[string][]string{}
    	for _, stamp := range stamps {
    		if write := d.log[stamp]; write.Value == nil {
    			delete(shown, write.Key)
    		} else {
    			shown[write.Key] = write.Value
    		}
    	}
    	return shown
    }

    func (d *Document) take(log map[Stamp]Write) {
    	for stamp, write := range log {
    		d.log[stamp] = write
    		if stamp.Clock > d.clock {
    			d.clock = stamp.Clock
    		}
    	}
    }

    func (d *Document) fork(writer string) *Document {
    	copy := newDocument(writer)
    	copy.take(d.log)
    	return copy
    }

    // YOURS: what it can do. A law that needs more is skipped for it, and the report says so.
    const introduction = `{"protocol":1,"id":"template","version":"1","capabilities":{"edits":["put","delete"],"objects":[],"scalars":["null","boolean","int","uint","float","string","bytes","timestamp"],"transports":["merge","document"],"features":["save","fork"]}}`

    // Session runs one program: documents, messages and slots by the numbers that the harness gives out.
    type Session struct {
    	documents, messages, slots map[int]*Document
    }

    // Instruction is an array whose parts are read as what they should be.
    type Instruction []json.RawMessage

    func (in Instruction) read(index int, into any) error {
    	if index >= len(in) {
    		return errors.New("the instruction lacks a part")
    	}
    	return json.Unmarshal(in[index], into)
    }

    func (in Instruction) number(index int) (number int, err error) {
    	err = in.read(index, &number)
    	return
    }

    func (in Instruction) text(index int) (text string, err error) {
    	err = in.read(index, &text)
    	return
    }

    func (s *Session) at(in Instruction, index int) (*Document, error) {
    	number, err := in.number(index)
    	if err != nil {
    		return nil, err
    	}
    	if document := s.documents[number]; document != nil {
    		return document, nil
    	}
    	return nil, fmt.Errorf("there is no document %d", number)
    }

    func kept(store map[int]*Document, in Instruction, index int) (*Document, error) {
    	number, err := in.number(index)
    	if err == nil && store[number] == nil {
    		err = fmt.Errorf("nothing was kept under %d", number)
    	}
    	return store[number], err
    }

    func (s *Session) run(in Instruction) ([]any, error) {
    	done := []any{"done"}
    	name, err := in.text(0)
    	if err != nil {
    		return nil, err
    	}
    	switch name {
    	case "create", "fork", "load":
    		number, err := in.number(1)
    		if err != nil {
    			return nil, err
    		}
    		source, last := newDocument(""), 2
    		if name == "fork" {
    			source, err = s.at(in, 2)
    			last = 3
    		} else if name == "load" {
    			source, err = kept(s.slots, in, 2)
    			last = 3
    		}
    		if err != nil {
    			return nil, err
    		}
    		actor, err := in.text(last)
    		if err != nil {
    			return nil, err
    		}
    		s.documents[number] = source.fork(actor)
    		return done, nil
    	case "edit":
    		document, err := s.at(in, 1)
    		if err != nil {
    			return nil, err
    		}
    		var edit Instruction
    		if err := in.read(2, &edit); err != nil {
    			return nil, err
    		}
    		if err := carryOut(document, edit); err != nil {
    			return []any{"refused", err.Error()}, nil
    		}
    		return []any{"edited"}, nil
    	case "commit": // YOURS: close what your implementation calls a transaction. The toy has none.
    		_, err := s.at(in, 1)
    		return done, err
    	case "merge":
    		document, err := s.at(in, 1)
    		if err != nil {
    			return nil, err
    		}
    		other, err := s.at(in, 2)
    		if err != nil {
    			return nil, err
    		}
    		document.take(other.log)
    		return done, nil
    	case "send": // Kept as it is now. YOURS: with the transport "document", the saved bytes.
    		document, err := s.at(in, 2)
    		if err != nil {
    			return nil, err
    		}
    		number, err := in.number(1)
    		s.messages[number] = document.fork("courier")
    		return []any{"sent", 1}, err
    	case "deliver":
    		message, err := kept(s.messages, in, 1)
    		if err != nil {
    			return nil, err
    		}
    		document, err := s.at(in, 2)
    		if err != nil {
    			return nil, err
    		}
    		document.take(message.log)
    		return done, nil
    	case "save": // YOURS: the saved bytes.
    		document, err := s.at(in, 1)
    		if err != nil {
    			return nil, err
    		}
    		number, err := in.number(2)
    		s.slots[number] = document.fork("courier")
    		return []any{"saved"}, err
    	case "observe":
    		document, err := s.at(in, 1)
    		if err != nil {
    			return nil, err
    		}
    		return []any{"observed", observation(document)}, nil
    	}
    	return nil, fmt.Errorf("there is no instruction %s", name)
    }

    // YOURS: the edits; an error is the reason why the document does not accept one. The toy has only the
    // root, object 0.
    func carryOut(document *Document, edit Instruction) error {
    	name, _ := edit.text(0)
    	target, err := edit.number(1)
    	key, notKey := edit.text(2)
    	if err != nil || notKey != nil || target != 0 {
    		return errors.New("there is only the root, and it has keys")
    	}
    	switch name {
    	case "put": // A scalar is kept as it comes: ["int", "5"].
    		var value []string
    		if err := edit.read(3, &value); err != nil {
    			return err
    		}
    		document.write(key, value)
    	case "delete":
    		if _, isThere := document.show()[key]; isThere {
    			document.write(key, nil)
    		}
    	default:
    		return fmt.Errorf("there is no edit %s", name)
    	}
    	return nil
    }

    // YOURS: everything that the document shows. A value is [id or null, kind, text].
    func observation(document *Document) any {
    	shown := document.show()
    	keys := make([]string, 0, len(shown))
    	for key := range shown {
    		keys = append(keys, key)
    	}
    	sort.Strings(keys) // by their UTF-8 bytes
    	rows := []any{}
    	for _, key := range keys {
    		value := []any{nil}
    		for _, part := range shown[key] {
    			value = append(value, part)
    		}
    		rows = append(rows, []any{key, value})
    	}
    	return map[string]any{"root": map[string]any{"map": rows}}
    }

    func answer(request map[string]json.RawMessage) map[string]any {
    	answer := map[string]any{"n": request["n"]}
    	var program []Instruction
    	if request["start"] != nil {
    		answer["started"] = json.RawMessage(introduction)
    	} else if run := request["run"]; run != nil && json.Unmarshal(run, &program) == nil {
    		// Nothing is kept from one program to the next.
    		session := Session{map[int]*Document{}, map[int]*Document{}, map[int]*Document{}}
    		outcomes := []any{}
    		for _, instruction := range program {
    			outcome, err := session.run(instruction)
    			if err != nil {
    				outcome = []any{"failed", err.Error()}
    			}
    			outcomes = append(outcomes, outcome)
    		}
    		answer["ran"] = outcomes
    	} else if request["ping"] != nil {
    		answer["pong"] = map[string]any{}
    	} else {
    		answer["error"] = "there is no such request"
    	}
    	return answer
    }

    func main() {
    	input := bufio.NewReader(os.Stdin)
    	for {
    		line, err := input.ReadBytes('\n')
    		if err == io.EOF {
    			return
    		}
    		var request map[string]json.RawMessage
    		if err != nil || json.Unmarshal(line, &request) != nil {
    			os.Exit(1)
    		}
    		if request["stop"] != nil {
    			return
    		}
    		text, err := json.Marshal(answer(request))
    		if err != nil {
    			os.Exit(1)
    		}
    		os.Stdout.Write(append(text, '\n'))
    	}
    }

    """##
}
