/** Random programs as JavaScript. */

export interface RandomProgram {
  readonly code: string
  /** True if the output can't depend on the order in which results arrive. */
  readonly isOrderFree: boolean
}

type Random = () => number

const TOOLS = ['look', 'look', 'put', 'pay', 'order', 'fail', 'locate']

/** Returns numbers from 0 to 1 that depend only on the seed. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function randomProgram(random: Random): RandomProgram {
  const writer = new Writer(random)
  const expression = writer.node(3)
  const code = `
const codeOf = (error) => ({ code: error.code ?? String(error) })
const log = []
let output
try { output = await ${expression} } catch (error) { output = { failed: codeOf(error) } }
return { output, log }`
  return { code, isOrderFree: writer.isOrderFree }
}

class Writer {
  isOrderFree = true
  readonly #random: Random
  #value = 0

  constructor(random: Random) {
    this.#random = random
  }

  /** Returns an expression for a promise. */
  node(depth: number): string {
    const kind = this.#random()
    if (depth === 0 || kind < 0.2) return this.#leaf()
    const below = () => this.node(depth - 1)
    const several = () => Array.from({ length: 2 + this.#below(3) }, below)
    const caught = () => `${below()}.catch(codeOf)`
    if (kind < 0.35)
      return inside(
        `const all = []; ${several()
          .map((each) => `all.push(await ${each})`)
          .join('; ')}; return all`,
      )
    if (kind < 0.5) return `Promise.all([${Array.from({ length: 2 + this.#below(3) }, caught).join(', ')}])`
    if (kind < 0.55) return this.#ordered(`Promise.all([${several().join(', ')}])`)
    if (kind < 0.62)
      return `Promise.allSettled([${several().join(', ')}]).then((ends) => ends.map(({ value, reason }) => reason === undefined ? value : codeOf(reason)))`
    if (kind < 0.69) return this.#ordered(`Promise.race([${several().join(', ')}])`)
    if (kind < 0.74) return this.#ordered(`Promise.any([${several().join(', ')}]).catch(() => 'none')`)
    if (kind < 0.79)
      return inside(
        `const all = []; for await (const each of [${several()
          .map((one) => `${one}.catch(codeOf)`)
          .join(', ')}]) all.push(each); return all`,
      )
    if (kind < 0.83)
      return inside(
        `const test = JSON.stringify(await ${caught()}) ?? ''; return test.length % 2 === 0 ? await ${below()} : await ${below()}`,
      )
    if (kind < 0.87) return caught()
    if (kind < 0.9) return `(${below()}.catch(() => {}), Promise.resolve('spared'))`
    if (kind < 0.95)
      return this.#ordered(
        inside(`const result = await ${below()}.finally(() => log.push('seen')); log.push(result); return [result, log.length]`),
      )
    const count = 2 + this.#below(3)
    const loop = ++this.#value
    return inside(
      `let sum = 0; for (let i = 0; i < ${count}; i++) sum += (await tools.look({ value: ${loop} * 1000 + i })).look; return sum`,
    )
  }

  #leaf(): string {
    const value = ++this.#value
    const kind = this.#random()
    if (kind < 0.15)
      return inside(
        `for (let attempt = 0; ; attempt++) try { return await tools.flaky({ value: ${value}, attempt, failures: ${this.#below(3)} }) } catch (error) { if (attempt >= 2) throw error }`,
      )
    const call = `tools.${TOOLS[this.#below(TOOLS.length)]}({ value: ${value} })`
    if (kind < 0.8) return call
    return inside(
      `const result = await ${call}; for (let turn = 0; turn < ${this.#below(200)}; turn++) await null; return result`,
    )
  }

  #ordered(expression: string): string {
    this.isOrderFree = false
    return expression
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }
}

function inside(body: string): string {
  return `(async () => { ${body} })()`
}
