import type { Tool, ToolSource } from '@x/tool-core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { approvalRequired, combine, filtered, prefixed, renamed, withContext, wrapped } from '../../test/loose.ts'
import { call, echo, namesOf } from '../../test/tools.ts'

/** A tree of wrappers around tools, and the expected result: the original name for each new name. */
interface Model {
  readonly source: ToolSource
  readonly origins: ReadonlyMap<string, string>
}
type Wrapper = (model: Model) => Model

const word = fc.stringMatching(/^[a-z]{1,4}$/)
const numbers = Array.from({ length: 100 }, (_, index) => index)
const leaf = fc.shuffledSubarray(numbers, { minLength: 1, maxLength: 5 }).map((ids): Model => {
  const names = ids.map((id) => `t${id}`)
  const tools = names.map(echo)
  return { source: { name: 'leaf', tools: () => tools }, origins: new Map(names.map((name) => [name, name])) }
})

function mapNames({ origins }: Model, change: (name: string) => string): ReadonlyMap<string, string> {
  return new Map([...origins].map(([name, origin]) => [change(name), origin]))
}

const wrapper: fc.Arbitrary<Wrapper> = fc.oneof(
  word.map(
    (prefix): Wrapper =>
      (model) => ({
        source: prefixed(model.source, prefix),
        origins: mapNames(model, (name) => `${prefix}_${name}`),
      }),
  ),
  fc.nat().map(
    (choice): Wrapper =>
      (model) => {
        const names = [...model.origins.keys()]
        const old = names[choice % names.length] ?? ''
        const fresh = `${old}_r`
        if (old === '' || model.origins.has(fresh)) return model
        return {
          source: renamed(model.source, { [old]: fresh }),
          origins: mapNames(model, (name) => (name === old ? fresh : name)),
        }
      },
  ),
  fc.nat().map(
    (bits): Wrapper =>
      (model) => {
        const kept = [...model.origins].filter((_entry, index) => ((bits >> (index % 30)) & 1) === 1)
        return {
          source: filtered(
            model.source,
            kept.map(([name]) => name),
          ),
          origins: new Map(kept),
        }
      },
  ),
  fc.constant<Wrapper>(({ source, origins }) => ({ source: wrapped(source, (_call, next) => next()), origins })),
  fc.constant<Wrapper>(({ source, origins }) => ({ source: approvalRequired(source), origins })),
  fc.constant<Wrapper>(({ source, origins }) => ({ source: withContext(source, { user: 'ann' }), origins })),
)

const wrappedLeaf = fc
  .tuple(leaf, fc.array(wrapper, { maxLength: 6 }))
  .map(([model, wrappers]) => wrappers.reduce((inner, wrap) => wrap(inner), model))

/** Each branch of a combination gets its own prefix, as the error for a clash suggests. */
const tree = fc
  .tuple(fc.array(wrappedLeaf, { minLength: 1, maxLength: 4 }), fc.array(wrapper, { maxLength: 3 }))
  .map(([branches, wrappers]) => {
    const own = branches.map((model, index) => ({
      source: prefixed(model.source, `b${index}`),
      origins: mapNames(model, (name) => `b${index}_${name}`),
    }))
    const combined: Model = {
      source: combine(...own.map(({ source }) => source)),
      origins: new Map(own.flatMap(({ origins }) => [...origins])),
    }
    return wrappers.reduce((inner, wrap) => wrap(inner), combined)
  })

function listed(source: ToolSource): readonly Tool[] {
  return source.tools() as readonly Tool[]
}

describe('any tree of wrappers', () => {
  it('has the names that its wrappers define, in order, and no name twice', () => {
    fc.assert(
      fc.property(tree, ({ source, origins }) => {
        const names = namesOf(listed(source))
        expect(names).toEqual([...origins.keys()])
        expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length)
      }),
    )
  })

  it('executes the right tool under each name', async () => {
    await fc.assert(
      fc.asyncProperty(tree, fc.string(), async ({ source, origins }, text) => {
        for (const [name, origin] of origins) {
          const result = await call(listed(source), name, { text }, { approve: () => true })
          expect(result).toMatchObject({ ok: true, output: `${origin}:${text.toWellFormed()}` })
        }
      }),
    )
  })

  it('returns the same tools at every call', () => {
    fc.assert(
      fc.property(tree, ({ source }) => {
        const again = listed(source)
        listed(source).forEach((tool, index) => {
          expect(tool).toBe(again[index])
        })
      }),
    )
  })
})

describe('a renaming', () => {
  it('is undone by the reverse renaming', () => {
    fc.assert(
      fc.property(leaf, word, ({ source, origins }, prefix) => {
        const names = [...origins.keys()]
        const back = Object.fromEntries(names.map((name) => [`${prefix}_${name}`, name]))
        expect(namesOf(listed(renamed(prefixed(source, prefix), back)))).toEqual(names)
      }),
    )
  })
})

describe('a combination', () => {
  it('throws if, and only if, two of its parts share a name', () => {
    fc.assert(
      fc.property(fc.array(leaf, { maxLength: 4 }), (models) => {
        const names = models.flatMap(({ origins }) => [...origins.keys()])
        const all = combine(...models.map(({ source }) => source))
        if (new Set(names).size === names.length) expect(namesOf(listed(all))).toEqual(names)
        else expect(() => all.tools()).toThrow('both have')
      }),
    )
  })
})
