/** All suites that the runner can run: those that the contract requires, and one that scores the planner on public cases. */
import { argumentStream, parseArguments, recoverJson } from '@x/adapters/arguments'
import { plannerLM } from 'demo/planner'
import { DIALECTS } from '../dialects/dialects.ts'
import { WIRES } from '../wires.ts'
import { defineBFCLSuite } from './bfcl/bfcl-suite.ts'
import { defineDialectSuite } from './dialects/dialect-suite.ts'
import { defineJsonSchemaSuite } from './json-schema/json-schema-suite.ts'
import { defineRecoverySuite } from './recovery/recovery-suite.ts'
import { createRegistryRanking } from './retrieval/retrieval-ranking.ts'
import { defineRetrievalSuite } from './retrieval/retrieval-suite.ts'
import { defineShapingSuite } from './shaping/shaping-suite.ts'
import { SHAPING_TARGETS } from './shaping/shaping-targets.ts'
import type { Suite } from './suite.ts'
import { defineWireSuite } from './wire/wire-suite.ts'

export const SUITES: readonly Suite[] = [
  defineWireSuite(WIRES),
  defineShapingSuite(SHAPING_TARGETS),
  defineDialectSuite(DIALECTS),
  defineBFCLSuite(plannerLM()),
  defineRetrievalSuite(createRegistryRanking),
  defineJsonSchemaSuite(),
  defineRecoverySuite({ recoverJson, parseArguments, argumentStream }),
]

/** Suites that the contract requires for features that haven't been built. */
export const LATER: readonly string[] = []
