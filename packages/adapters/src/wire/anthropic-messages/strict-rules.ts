/** Rules for strict mode in Anthropic Messages, and for Claude on Bedrock, whose rules differ only in string lengths. */

import { atMost, each, keptOnly, oneOf } from '../../shaping/rules/rule-builders.ts'
import type { SchemaRules } from '../../shaping/rules/tool-rules.ts'

const SDK = '@anthropic-ai/sdk lib/transform-json-schema.js'

export const anthropicStrictSchema: SchemaRules = {
  id: 'anthropic-messages:strict-output',
  strict: true,
  keywords: {
    title: { becomes: 'kept', source: SDK },
    minItems: keptOnly(atMost(1), 'described', SDK),
    format: keptOnly(
      oneOf(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid']),
      'described',
      SDK,
    ),
    ...each(['patternProperties', 'unevaluatedProperties'], {
      becomes: 'refused',
      source: 'pydantic-ai providers/anthropic.py: a map with arbitrary keys becomes {}',
    }),
    ...each(['$schema', '$id', '$anchor', '$comment', '$dynamicRef', '$recursiveRef', 'id'], { becomes: 'dropped', source: SDK }),
  },
  others: { becomes: 'described', source: SDK },
  references: { is: 'alone', source: `${SDK}: siblings of $ref are lost` },
  recursion: { is: 'refused', source: 'Anthropic documentation, structured outputs: no recursive schemas' },
  // The SDK keeps `allOf`. But if every member of it is a closed object, no value matches all of them.
  allOf: { is: 'merged', source: SDK },
  oneOf: { is: 'anyOf', source: SDK },
  anyOf: { is: 'apart', source: 'every object is closed, so each choice must contain all properties' },
  rootChoice: { is: 'merged', source: 'same as without strict mode' },
  tuples: { is: 'items', source: SDK },
  untyped: { is: 'refused', source: `${SDK}: a node needs type, anyOf, oneOf, allOf, enum or const` },
  objects: { is: 'closed', source: SDK },
}

const LIVE = 'pydantic-ai providers/bedrock.py, tried on the API 2026-05-19'

export const bedrockStrictSchema: SchemaRules = {
  ...anthropicStrictSchema,
  id: 'bedrock-converse:strict',
  keywords: { ...anthropicStrictSchema.keywords, ...each(['minLength', 'maxLength'], { becomes: 'kept', source: LIVE }) },
}
