/** All wire formats of `@x/adapters`. */
import * as exported from '@x/adapters/wire'

export const WIRES: readonly exported.WireFormat[] = (Object.values(exported) as readonly unknown[]).filter(isWire)

function isWire(value: unknown): value is exported.WireFormat {
  return typeof value === 'object' && value !== null && 'encode' in value && 'decode' in value
}

export function findWire(name: string): exported.WireFormat {
  const wire = WIRES.find((candidate) => candidate.name === name)
  if (wire === undefined) throw new Error(`There is no wire format ${name}.`)
  return wire
}
