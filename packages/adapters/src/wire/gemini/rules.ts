/** Tool rules for Gemini. A request can contain the parameters of a tool in one of two fields, and each has its own rules. */

import { each, IS_BOOLEAN, KEPT, keptOnly, oneOf } from '../../shaping/rules/rule-builders.ts'
import type { NameRules, SchemaRules, ToolRules } from '../../shaping/rules/tool-rules.ts'

const NAMES: NameRules = {
  maxLength: 64,
  // Gemini also accepts dots, but other APIs don't. Without dots, names stay the same if the conversation moves to another API.
  pattern: /^[a-zA-Z_][a-zA-Z0-9_-]*$/,
  source: '@google/genai FunctionDeclaration.name says 128, TanStack enforces 64',
}

/** Tool rules for `parametersJsonSchema`, which newer models accept. */
export const geminiJsonSchemaRules: ToolRules = {
  id: 'gemini-jsonschema',
  names: NAMES,
  schema: { id: 'gemini-jsonschema', keywords: {}, others: KEPT },
  // Strict mode is the mode `VALIDATED`. It applies to the whole request, and no schema is known to be rejected in that mode.
  strict: { id: 'gemini-jsonschema-strict', keywords: {}, others: KEPT },
}

const SUBSET = 'gemini-openapi.json Schema: any other field fails the whole request'
const PYDANTIC = 'pydantic-ai profiles/google.py'

const SCHEMA: SchemaRules = {
  id: 'gemini',
  keywords: {
    ...each(
      [
        'title',
        'default',
        'nullable',
        'minItems',
        'maxItems',
        'minProperties',
        'maxProperties',
        'minimum',
        'maximum',
        'minLength',
        'maxLength',
        'pattern',
        'propertyOrdering',
        'example',
      ],
      { becomes: 'kept', source: SUBSET },
    ),
    format: keptOnly(oneOf(['date-time', 'enum', 'float', 'double', 'int32', 'int64']), 'described', PYDANTIC),
    additionalProperties: { becomes: 'dropped', only: IS_BOOLEAN, otherwise: 'described', source: SUBSET },
    ...each(
      ['$schema', '$id', '$anchor', '$comment', '$vocabulary', 'id', 'discriminator', 'deprecated', 'readOnly', 'writeOnly'],
      {
        becomes: 'dropped',
        source: SUBSET,
      },
    ),
    ...each(
      [
        'examples',
        'exclusiveMinimum',
        'exclusiveMaximum',
        'multipleOf',
        'uniqueItems',
        'contains',
        'minContains',
        'maxContains',
        'not',
        'if',
        'then',
        'else',
        'patternProperties',
        'propertyNames',
        'dependencies',
        'dependentRequired',
        'dependentSchemas',
        'unevaluatedItems',
        'unevaluatedProperties',
      ],
      { becomes: 'described', source: SUBSET },
    ),
  },
  others: { becomes: 'dropped', source: SUBSET },
  references: { is: 'inlined', source: SUBSET },
  recursion: { is: 'cut', source: SUBSET },
  allOf: { is: 'merged', source: SUBSET },
  oneOf: { is: 'anyOf', source: SUBSET },
  anyOf: {
    is: 'alone',
    source: 'Vertex: "When using any_of, it must be the only field set": github.com/anomalyco/opencode/issues/14700',
  },
  rootChoice: { is: 'merged', source: 'the parameters of a function must be an object' },
  constants: { is: 'enum', source: SUBSET },
  choices: {
    is: 'texts',
    source: 'enum values must be non-empty strings: github.com/microsoft/azure-devops-mcp/issues/139, weave-os/router#83',
  },
  tuples: { is: 'items', source: SUBSET },
  types: { is: 'single', source: SUBSET, exception: 'type names in upper case (get_capital and 25 more)' },
  untyped: { is: 'filled', source: 'Gemini 3 refuses TYPE_UNSPECIFIED: github.com/UKGovernmentBEIS/inspect_ai/pull/3097' },
  items: { is: 'filled', source: 'items: missing field: github.com/cline/cline/issues/7339' },
  required: {
    is: 'declared',
    source: 'required: only allowed for OBJECT type, property is not defined: github.com/goruck/home-generative-agent/pull/525',
  },
  keys: {
    maxLength: 64,
    pattern: /^[a-zA-Z_][a-zA-Z0-9_]*$/,
    source: '@google/genai FunctionDeclaration.parameters: letters, digits, _',
  },
}

/** Tool rules for `parameters`, a subset of OpenAPI 3.0. */
export const geminiRules: ToolRules = { id: 'gemini', names: NAMES, schema: SCHEMA }
