import { closeSource, openSource, type ToolSource } from '@x/tool-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { combine, filtered, prefixed } from '../../test/loose.ts'
import { loggedSource, sourceOf } from '../../test/tools.ts'

const log: string[] = []
beforeEach(() => {
  log.length = 0
})

function thrownBy(promise: Promise<void> | undefined): Promise<unknown> {
  return (promise ?? Promise.resolve()).then(
    () => 'nothing',
    (error: unknown) => error,
  )
}

describe('a wrapper', () => {
  it('opens and closes its source', async () => {
    const source = prefixed(loggedSource('mail', log), 'work')
    await source.open?.()
    await source.close?.()
    expect(log).toEqual(['open mail', 'close mail'])
  })

  it('has no open and close if the source has none', () => {
    expect(prefixed(sourceOf('mail'), 'work')).not.toHaveProperty('open')
    expect(combine(sourceOf('mail'))).not.toHaveProperty('close')
  })

  it('fails to open and to close if its source fails', async () => {
    expect(await thrownBy(filtered(loggedSource('mail', log, 'open'), []).open?.())).toEqual(new Error('mail did not open'))
    expect(await thrownBy(filtered(loggedSource('mail', log, 'close'), []).close?.())).toEqual(new Error('mail did not close'))
  })

  it('calls the methods of a source with the right `this`', async () => {
    class Connection {
      readonly #log = log
      tools = () => []
      async open() {
        this.#log.push('connected')
      }
    }
    await prefixed(new Connection(), 'x').open?.()
    expect(log).toEqual(['connected'])
  })
})

describe('combine', () => {
  it('opens its sources in order and closes them in reverse', async () => {
    const all = combine(loggedSource('a', log), sourceOf('plain'), loggedSource('b', log))
    await all.open?.()
    await all.close?.()
    expect(log).toEqual(['open a', 'open b', 'close b', 'close a'])
  })

  it('closes the opened sources if another one fails to open', async () => {
    const all = combine(loggedSource('a', log), loggedSource('b', log), loggedSource('c', log, 'open'), loggedSource('d', log))
    expect(await thrownBy(all.open?.())).toEqual(new Error('c did not open'))
    expect(log).toEqual(['open a', 'open b', 'open c', 'close b', 'close a'])
  })

  it('closes all sources even if some fail, and reports every failure', async () => {
    const all = combine(loggedSource('a', log, 'close'), loggedSource('b', log), loggedSource('c', log, 'close'))
    await all.open?.()
    expect(await thrownBy(all.close?.())).toMatchObject({
      name: 'AggregateError',
      errors: [new Error('c did not close'), new Error('a did not close')],
    })
    expect(log.slice(3)).toEqual(['close c', 'close b', 'close a'])
  })

  it('also reports failures while it closes them', async () => {
    const all = combine(loggedSource('a', log, 'close'), loggedSource('b', log, 'open'))
    expect(await thrownBy(all.open?.())).toMatchObject({ errors: [new Error('b did not open'), new Error('a did not close')] })
  })
})

describe('a source with several users', () => {
  it('is opened by the first user and closed by the last', async () => {
    const mail = loggedSource('mail', log)
    const [one, other] = [prefixed(mail, 'one'), prefixed(mail, 'other')]
    await Promise.all([one.open?.(), other.open?.()])
    await one.close?.()
    expect(log).toEqual(['open mail'])
    await other.close?.()
    expect(log).toEqual(['open mail', 'close mail'])
  })

  it('makes a second user wait until it is open', async () => {
    let settle = () => {}
    const slow: ToolSource = { tools: () => [], open: () => new Promise((resolve) => (settle = resolve)) }
    const order: string[] = []
    const first = openSource(slow).then(() => order.push('first'))
    const second = openSource(slow).then(() => order.push('second'))
    await new Promise((resolve) => setImmediate(resolve))
    expect(order).toEqual([])
    settle()
    await Promise.all([first, second])
    expect(order).toEqual(['first', 'second'])
  })

  it('counts a wrapper once, however often the wrapper is opened and closed', async () => {
    const mail = loggedSource('mail', log)
    const [one, other] = [prefixed(mail, 'one'), prefixed(mail, 'other')]
    await one.open?.()
    await one.open?.()
    await other.open?.()
    await one.close?.()
    await one.close?.()
    expect(log).toEqual(['open mail'])
    await other.close?.()
    expect(log).toEqual(['open mail', 'close mail'])
  })

  it('is closed at the end of an `await using` block', async () => {
    {
      await using all = combine(loggedSource('mail', log), sourceOf('chat'))
      await all.open?.()
    }
    expect(log).toEqual(['open mail', 'close mail'])
  })

  it('counts no user if opening fails', async () => {
    let attempts = 0
    const flaky: ToolSource = {
      tools: () => [],
      open: async () => {
        log.push(`open ${++attempts}`)
        if (attempts === 1) throw new Error('not yet')
      },
      close: async () => void log.push('close'),
    }
    const [a, b, c] = [prefixed(flaky, 'a'), prefixed(flaky, 'b'), prefixed(flaky, 'c')]
    const failed = thrownBy(a.open?.())
    const closed = a.close?.()
    const opened = [b.open?.(), c.open?.()]
    expect(await failed).toEqual(new Error('not yet'))
    await closed
    await Promise.all(opened)
    await b.close?.()
    expect(log.at(-1)).toBe('open 2')
    await c.close?.()
    expect(log.at(-1)).toBe('close')
  })

  it('can be opened again after a failed opening', async () => {
    let attempts = 0
    const flaky: ToolSource = {
      tools: () => [],
      open: async () => {
        attempts++
        if (attempts === 1) throw new Error('not yet')
      },
    }
    expect(await thrownBy(openSource(flaky))).toEqual(new Error('not yet'))
    expect(await thrownBy(openSource(flaky))).toBe('nothing')
    expect(attempts).toBe(2)
  })

  it('is opened again only after it was closed', async () => {
    const mail = loggedSource('mail', log)
    await openSource(mail)
    await Promise.all([closeSource(mail), openSource(mail)])
    expect(log).toEqual(['open mail', 'close mail', 'open mail'])
  })

  it('is closed by its owner even if no wrapper opened it', async () => {
    const mail = loggedSource('mail', log)
    await closeSource(mail)
    expect(log).toEqual(['close mail'])
  })
})

describe('a wrapper of a source that changes', () => {
  it('passes on its changes', () => {
    const listeners = new Set<() => void>()
    const source = {
      tools: () => [],
      onChange(listener: () => void) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }
    let heard = 0
    const both = combine(prefixed(source, 'a'), { tools: () => [] })
    const stop = both.onChange?.(() => heard++)
    for (const listener of listeners) listener()
    expect(heard).toBe(1)
    stop?.()
    expect(listeners.size).toBe(0)
  })

  it('has no onChange if its source has none', () => {
    expect(prefixed({ tools: () => [] }, 'a').onChange).toBeUndefined()
    expect(combine({ tools: () => [] }).onChange).toBeUndefined()
  })
})
