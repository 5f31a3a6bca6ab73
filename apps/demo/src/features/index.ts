/** The features that the tour shows after the runs, in this order. */
import { sequenceFeature } from './actions.ts'
import { factoryFeature } from './factories.ts'
import type { Feature } from './feature.ts'
import { mcpFeature } from './mcp.ts'
import { chainOfThoughtFeature, predictFeature } from './predictions.ts'
import { selectorFeature } from './selector.ts'
import { spansFeature } from './spans.ts'
import { toolsetsFeature } from './toolsets.ts'

export const FEATURES: readonly Feature[] = [
  selectorFeature,
  predictFeature,
  chainOfThoughtFeature,
  sequenceFeature,
  factoryFeature,
  toolsetsFeature,
  mcpFeature,
  spansFeature,
]
