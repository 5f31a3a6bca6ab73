/** The baseline: hand-written calls that are as safe as ours, with a bounded copy, a compiled check, a deadline, and no exceptions. */
import { Ajv } from 'ajv'

const MAX_DEPTH = 512
const TIMEOUT_MS = 60_000

export function defineOrder(definition) {
  return toTool(toAjv(), definition)
}

export function defineMany(definitions) {
  const ajv = toAjv()
  return definitions.map((definition) => toTool(ajv, definition))
}

function toAjv() {
  return new Ajv({ allErrors: true, ownProperties: true })
}

/** Compiles the schema on the first call. */
function toTool(ajv, { parameters, execute }) {
  let check
  return {
    async call(args) {
      try {
        const copy = copyOf(args, 0)
        check ??= ajv.compile(parameters())
        if (!check(copy)) return { ok: false, error: new Error(ajv.errorsText(check.errors)) }
        return { ok: true, output: await withDeadline(execute(copy)) }
      } catch (error) {
        return { ok: false, error }
      }
    },
  }
}

/** Copies the arguments, because the tool may keep or change them. The caller's object is never passed to the tool. */
function copyOf(value, depth) {
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH) throw new Error(`The arguments are nested deeper than ${MAX_DEPTH} levels.`)
  if (Array.isArray(value)) {
    const copy = []
    for (const item of value) copy.push(copyOf(item, depth + 1))
    return copy
  }
  const copy = {}
  for (const key of Object.keys(value)) copy[key] = copyOf(value[key], depth + 1)
  return copy
}

function withDeadline(running) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The tool did not finish within ${TIMEOUT_MS} ms.`)), TIMEOUT_MS)
    running.then(
      (output) => {
        clearTimeout(timer)
        resolve(output)
      },
      (error) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
