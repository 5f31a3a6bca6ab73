/** Block readers with planted faults, for tests of the dialect contract. */
import { ArgumentsWriter } from '../../src/dialects/engine/arguments-writer.ts'
import type { BlockReader } from '../../src/dialects/engine/block.ts'
import { jsonBlock } from '../../src/dialects/families/json/json-block.ts'

/** A form of calls that the planted dialect only reads. It writes calls between tags. */
export const JSON_FORM = jsonBlock({ open: '<json>', close: '</json>' })

/** Reads `<fn name="`. For each character, searches the whole value for its end again. */
export const readSlowly: BlockReader = function* (context) {
  const { input, calls } = context
  const name = yield* input.takeWhile((code) => code !== 0x22, 256)
  let body = ''
  while (!body.includes('</fn>')) {
    const unit = yield* input.takeWhile(() => true, 1)
    if (unit === '') return 'cut'
    body += unit
  }
  const writer = new ArgumentsWriter(context, name)
  for (const [, key = '', value = ''] of body.matchAll(/<arg name="([^"]*)">(.*?)<\/arg>/gs)) writer.coerce(key, value)
  writer.end()
  calls.end()
  return 'read'
}
/** For each character, searches the whole block for its end again. */
export const readJsonSlowly: BlockReader = function* ({ input, calls }) {
  let body = ''
  while (!body.includes('</json>')) {
    const unit = yield* input.takeWhile(() => true, 1)
    if (unit === '') return 'cut'
    body += unit
  }
  calls.start({ name: /"name": "(\w+)"/.exec(body)?.[1] ?? 'none' })
  calls.write(/"arguments": (\{.*\})\}/.exec(body)?.[1] ?? '{}')
  calls.end()
  return 'read'
}
/** Reads the block only if all of it has arrived at once. */
export const readAtOnce: BlockReader = function* (context) {
  if (!context.input.text.includes('</json>')) return 'text'
  return yield* JSON_FORM.read(context)
}
/** Reads the received part of the block as the whole block. */
export const readEarly: BlockReader = function* (context) {
  const { input, calls } = context
  let text = ''
  yield* input.takeWhile((code) => {
    text += String.fromCharCode(code)
    return !text.endsWith('</json>')
  })
  const [, name, days] = /"name": "(\w+)".*"days": (\d+)/.exec(text) ?? []
  if (name === undefined) return 'malformed'
  calls.start({ name })
  calls.write(`{"days": ${days}}`)
  calls.end()
  input.at = input.text.length
  return 'read'
}
