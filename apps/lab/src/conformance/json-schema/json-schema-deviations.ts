/** Tests of the official suite that our validators disagree with, each with the reason. */

export interface Deviation {
  /** Id of a case. An id that ends with `*` matches all ids with that prefix. */
  readonly id: string
  readonly why: string
}

const FORMATS =
  "Formats are checked, in 2020-12 too, where they are annotations by default: a model needs to know that `2024-02-30` isn't a date."
const PROTOTYPES = 'The value has a key that reaches a prototype, which is refused for every schema.'

export const DEVIATIONS: readonly Deviation[] = [
  { id: 'draft2020-12/format: *', why: FORMATS },
  ...['draft7', 'draft2020-12'].flatMap((draft) => [
    {
      id: `${draft}/properties: properties whose names are Javascript object property names: all present and valid`,
      why: PROTOTYPES,
    },
    {
      id: `${draft}/required: required properties whose names are Javascript object property names: all present`,
      why: PROTOTYPES,
    },
  ]),
  {
    id: 'draft2020-12/vocabulary: schema that uses custom metaschema with with no validation vocabulary: no validation: invalid number, but it still validates',
    why: "Vocabularies aren't read: every keyword is checked, whatever the meta-schema says.",
  },
]
