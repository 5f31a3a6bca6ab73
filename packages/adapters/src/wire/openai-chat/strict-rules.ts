/** Rules for strict mode in both OpenAI APIs, which require closed objects and all properties. */

import { each, keptOnly, oneOf, WITHOUT_LOOK_AROUND } from '../../shaping/rules/rule-builders.ts'
import type { SchemaRules } from '../../shaping/rules/tool-rules.ts'

const PROFILE = 'jsonschemaprofiles.unitvectorylabs.com/schemas/openai, 2026-02'
const AGENTS = 'openai-agents-js strictToolSchema.ts; pydantic-ai profiles/openai.py'

export const openaiStrictSchema: SchemaRules = {
  id: 'openai-strict',
  strict: true,
  keywords: {
    ...each(['title', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems'], {
      becomes: 'kept',
      source: PROFILE,
    }),
    ...each(['default', 'nullable'], {
      becomes: 'kept',
      source: AGENTS,
      exception: 'search_recipes and 2 more',
    }),
    ...each(['minLength', 'maxLength', 'minProperties', 'maxProperties', 'uniqueItems'], {
      becomes: 'described',
      source: AGENTS,
    }),
    ...each(['example', 'examples'], { becomes: 'described', source: PROFILE }),
    format: keptOnly(
      oneOf(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']),
      'described',
      PROFILE,
    ),
    pattern: keptOnly(WITHOUT_LOOK_AROUND, 'described', PROFILE),
    ...each(
      [
        'patternProperties',
        'propertyNames',
        'contains',
        'minContains',
        'maxContains',
        'not',
        'if',
        'then',
        'else',
        'dependencies',
        'dependentRequired',
        'dependentSchemas',
        'unevaluatedItems',
        'unevaluatedProperties',
        '$dynamicRef',
        '$recursiveRef',
      ],
      { becomes: 'refused', source: AGENTS },
    ),
  },
  others: { becomes: 'dropped', source: PROFILE },
  // The siblings of $ref go into anyOf.
  references: { is: 'alone', source: AGENTS },
  allOf: { is: 'merged', source: AGENTS },
  oneOf: { is: 'anyOf', source: AGENTS },
  anyOf: { is: 'apart', source: 'closed objects need all properties in each choice' },
  rootChoice: { is: 'refused', source: PROFILE },
  tuples: { is: 'refused', source: AGENTS },
  untyped: { is: 'refused', source: AGENTS },
  objects: {
    is: 'closed and required',
    source: PROFILE,
    exception: 'final_result, insert_level_with_spaces',
  },
  limits: { properties: 5_000, levels: 10, choices: 1_000, characters: 120_000, source: PROFILE },
}
