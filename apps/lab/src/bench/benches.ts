/** All benches. Add a new one here. */
import { argumentsBench } from './arguments/arguments.ts'
import type { Bench } from './bench.ts'
import { code } from './code/code.ts'
import { dialects } from './dialects/dialects.ts'
import { durable } from './durable/durable.ts'
import { loop } from './loop/loop.ts'
import { mcp } from './mcp/mcp.ts'
import { registry } from './registry/registry.ts'
import { start } from './start/start.ts'
import { validate } from './validate/validate.ts'
import { wire } from './wire/wire.ts'

export const BENCHES: readonly Bench[] = [loop, validate, registry, argumentsBench, wire, dialects, durable, mcp, code, start]
