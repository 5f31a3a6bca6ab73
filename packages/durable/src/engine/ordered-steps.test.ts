import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { OrderedSteps } from './ordered-steps.ts'

it('ends when it is closed before the engine requests a record', async () => {
  const records: string[] = []
  const executed: string[] = []
  const steps = new OrderedSteps(async (make) => {
    await sleep(10)
    records.push(await make())
    return records.at(-1) ?? ''
  })
  const late = steps.run('late', async () => executed.push('late')).catch((cause: { code?: unknown }) => cause.code)
  await steps.close()
  expect([await late, executed, records]).toEqual(['closed', [], ['']])
})

it('records running steps when it is closed, and begins no others', async () => {
  const records: string[] = []
  const executed: string[] = []
  const steps = new OrderedSteps(async (make) => {
    records.push(await make())
    return records.at(-1) ?? ''
  })
  const step = (key: string) =>
    steps.run(key, async () => {
      executed.push(key)
      await sleep(20)
      return key
    })
  const slow = step('slow')
  while (executed.length === 0) await sleep(1)
  const closing = steps.close()
  const next = step('next').catch((cause: { code?: unknown }) => cause.code)
  await closing
  expect([await slow, await next, executed]).toEqual(['slow', 'closed', ['slow']])
  expect(records.join('')).toBe('{"step":"slow","value":"slow"}\n')
})

it('lets a group end when it is closed, after another group with the same step has ended', async () => {
  const steps = new OrderedSteps((make) => make())
  let close = () => {}
  const closed = new Promise<void>((resolve) => {
    close = resolve
  })
  const group = steps.together(['intent', 'call'], async () => {
    await closed
    return await steps.run('call', async () => 'called')
  })
  await steps.together(['call'], async () => {})
  const closing = steps.close()
  close()
  expect(await group).toBe('called')
  await closing
})

it('requests another record after an empty one from a closed process', async () => {
  const records = ['', '{"step":"a","value":1}\n']
  const steps = new OrderedSteps(async (make) => records.shift() ?? (await make()))
  expect(await steps.run('a', () => Promise.reject(new Error('executed again')))).toBe(1)
  expect(await steps.run('b', async () => 2)).toBe(2)
})

it('rejects all waiting and later requests with the failure of the engine', async () => {
  const steps = new OrderedSteps(() => Promise.reject(new Error('lost')))
  await expect(Promise.all([steps.run('a', async () => 1), steps.run('b', async () => 2)])).rejects.toThrow('lost')
  await expect(steps.run('c', async () => 3)).rejects.toThrow('lost')
  await steps.close()
})

it.each([5, undefined, null, {}])('refuses the key %j', async (key) => {
  const steps = new OrderedSteps((make) => make())
  await expect(steps.run(key as never, async () => 1)).rejects.toMatchObject({ code: 'invalid_value' })
})

it('records nothing about a step that does not fit the program, and another program executes it at the same position', async () => {
  const records: string[] = []
  const play = async (isFitting: boolean) => {
    let place = 0
    const steps = new OrderedSteps(async (make) => {
      if (place === records.length) records.push(await make())
      return records[place++] ?? ''
    })
    const slow = steps.run('slow', () => sleep(isFitting ? 0 : 20, 'slow'))
    const misfit = steps.run('call', async () => {
      if (!isFitting) throw Object.assign(new Error('The tool is gone.'), { code: 'agent_changed' })
      return 'called'
    })
    const results = await Promise.all([slow, misfit.catch((cause: { code?: unknown }) => cause.code)])
    const late = await steps.run('late', async () => 'late').catch((cause: { code?: unknown }) => cause.code)
    await steps.quiet()
    return [...results, late]
  }
  expect(await play(false)).toEqual(['slow', 'agent_changed', 'agent_changed'])
  expect(records.join('')).toBe('{"step":"slow","value":"slow"}\n')
  expect(await play(true)).toEqual(['slow', 'called', 'late'])
})
