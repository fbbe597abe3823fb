// SPDX-License-Identifier: Apache-2.0

package model

// Format is the version of the model's own JSON form.
const Format = 1

// Protocol is a whole declared protocol.
type Protocol struct {
	Format  int    `json:"format"`
	Name    string `json:"name"`    // the protocol's wire name, also the base of file names: "harness"
	Server  string `json:"server"`  // what clients call the side that serves: "runtime"
	Package string `json:"package"` // import path of the spec package
	Var     string `json:"var"`     // the package variable that holds it
	Doc     Text   `json:"doc"`
	Pos     Pos    `json:"pos"`

	Negotiation    *Negotiation `json:"negotiation,omitempty"`
	UnknownMembers string       `json:"unknownMembers"` // Kept or Dropped

	Types         []*Type         `json:"types"` // every payload type that is reachable, in source order
	Scopes        []*Scope        `json:"scopes,omitempty"`
	Capabilities  []*Capability   `json:"capabilities,omitempty"`
	Errors        []*Error        `json:"errors,omitempty"`
	Notifications []*Notification `json:"notifications,omitempty"`
	Links         []*Link         `json:"links,omitempty"`
	Activities    []*Activity     `json:"activities,omitempty"`
	Methods       []*Method       `json:"methods"`
	Machines      []*Machine      `json:"machines,omitempty"`
	Generations   []*Generation   `json:"generations,omitempty"`
	Limits        []*Limit        `json:"limits,omitempty"`
	Rules         []*Rule         `json:"rules,omitempty"`
	Allows        []*Allow        `json:"allows,omitempty"`
}

// What happens to members that a reader does not know.
const (
	Kept    = "kept"    // kept raw and written again
	Dropped = "dropped" // ignored
)

// Text is one text in both languages, without comment markers.
type Text struct {
	EN string `json:"en,omitempty"`
	ZH string `json:"zh,omitempty"`
}

// Pos is a place in the author's source. File is slash-separated and relative
// to the spec package's directory.
type Pos struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Col  int    `json:"col,omitempty"`
}

// The two sides of a connection.
const (
	Client = "client"
	Server = "server"
)

// The kinds of a Type.
const (
	KindStruct = "struct"
	KindUnion  = "union"
	KindEnum   = "enum"
	KindNamed  = "named" // a defined scalar or list: an id, an alias with a meaning
)

// Type is one declared payload type.
type Type struct {
	Name   string   `json:"name"` // Go name, the same in the spec and in generated code
	Kind   string   `json:"kind"`
	Doc    Text     `json:"doc"`
	Pos    Pos      `json:"pos"`
	Fields []*Field `json:"fields,omitempty"` // struct: its members; union: those that all variants share
	Union  *Union   `json:"union,omitempty"`
	Enum   *Enum    `json:"enum,omitempty"`
	Of     *Ref     `json:"of,omitempty"` // named: the underlying type
}

// How a member may be missing.
const (
	Required = "required" // always written; an error when read strictly and absent
	Optional = "optional" // a pointer or a list in Go: nil is absent, a present zero is kept
	OmitZero = "omitzero" // a plain value in Go: its zero is not written
	Nullable = "nullable" // absent, null and a value are distinguished
	OrNull   = "or null"  // always written, as a value or as null
)

// Field is one member of an object.
type Field struct {
	Name      string   `json:"name"` // Go name
	Wire      string   `json:"wire"`
	Type      *Ref     `json:"type"`
	Presence  string   `json:"presence"`
	Doc       Text     `json:"doc"`
	Pos       Pos      `json:"pos"`
	Min       *int64   `json:"min,omitempty"`       // integers: least value
	Max       *int64   `json:"max,omitempty"`       // integers: greatest value
	MinLength *int     `json:"minLength,omitempty"` // strings: Unicode code points; lists: items
	MaxLength *int     `json:"maxLength,omitempty"`
	Pattern   string   `json:"pattern,omitempty"`
	Sensitive bool     `json:"sensitive,omitempty"`
	Default   *Default `json:"default,omitempty"`
	Since     string   `json:"since,omitempty"`
	Intern    bool     `json:"intern,omitempty"` // values repeat: readers may share them
}

// Default is what absence means. When names another member on whose value it hangs.
type Default struct {
	Value string `json:"value,omitempty"`
	When  []Cond `json:"when,omitempty"`
}

// Cond is one line of a Default: if the member is (not) present, the value is Value.
type Cond struct {
	Member  string `json:"member"`
	Present bool   `json:"present"`
	Value   string `json:"value"`
}

// The kinds of a Ref.
const (
	RefString = "string"
	RefBool   = "bool"
	RefInt    = "int"   // 64 bits, within ±(2^53-1) unless Wide
	RefFloat  = "float" // 64 bits
	RefRaw    = "raw"   // any JSON value, kept as written
	RefBytes  = "bytes" // base64 in a string
	RefList   = "list"
	RefMap    = "map" // string keys
	RefNamed  = "named"
)

// Ref is the use of a type.
type Ref struct {
	Kind string `json:"kind"`
	Elem *Ref   `json:"elem,omitempty"` // list, map
	Name string `json:"name,omitempty"` // named
	Wide bool   `json:"wide,omitempty"` // int: written as a string, for all 64 bits
}

// Union is the choice that a Type of KindUnion stands for.
type Union struct {
	Tag      string     `json:"tag"`               // member that names the variant; empty: they are distinguished by shape
	Content  string     `json:"content,omitempty"` // member that holds it; empty: its members are next to the tag
	Before   int        `json:"before,omitempty"`  // how many of the shared members are written before the content
	Variants []*Variant `json:"variants"`
}

// Variant is one choice of a Union.
type Variant struct {
	Name    string `json:"name"`         // Go field name in the spec
	Wire    string `json:"wire"`         // value of the tag; without a tag the name in documents
	Type    string `json:"type"`         // with a tag: struct type's name; each variant has its own
	Of      *Ref   `json:"of,omitempty"` // without a tag: what it is
	Doc     Text   `json:"doc"`
	Pos     Pos    `json:"pos"`
	OffWire bool   `json:"offWire,omitempty"` // stored, never sent
	Only    string `json:"only,omitempty"`    // the generation that alone writes it
	Since   string `json:"since,omitempty"`
}

// Enum is the set of known values of a Type of KindEnum. Others are kept unless Closed.
type Enum struct {
	Closed  bool         `json:"closed,omitempty"`
	Integer bool         `json:"integer,omitempty"` // values are integers, not strings
	Values  []*EnumValue `json:"values"`
}

// EnumValue is one known value.
type EnumValue struct {
	Name string `json:"name"` // Go constant
	Wire string `json:"wire"` // the string, or the integer in decimal digits
	Doc  Text   `json:"doc"`
	Pos  Pos    `json:"pos"`
}
