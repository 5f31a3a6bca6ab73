/** Tests the subjects of the `wire` bench that need no peer: they do the work, and a subject that doesn't is detected. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { WIRES } from '../../wires.ts'
import { wire } from './wire.ts'
import { STREAMS } from './wire-events.ts'
import { openSteps, type StepSubject } from './wire-step.ts'
import { openWireStream } from './wire-stream.ts'
import { stringify } from './wire-subjects.ts'

const peers = join(import.meta.dirname, '../../../peers')

for (const name of ['bare-json', '@x/adapters']) {
  it.each(wire.cases)(`${name} does %s`, async (caseName) => {
    const subject = wire.subjects.find((candidate) => candidate.name === name)
    if (subject === undefined) throw new Error(`There is no subject ${name}.`)
    const workload = await wire.open(subject, caseName, peers)
    await workload.verify()
    await workload.run()
    expect(workload.units).toBeGreaterThan(0)
  })
}

it('has a case for each wire, names the subjects and cases of its goals, and the baseline supports every case', () => {
  const { goals, subjects, cases, base } = wire
  expect(cases).toEqual(expect.arrayContaining(WIRES.map(({ name }) => `1000 tools, ${name}`)))
  for (const cell of goals.flatMap((goal) => [goal.cell, goal.over])) {
    expect(subjects.find(({ name }) => name === cell.subject)?.cases ?? cases).toContain(cell.case)
  }
  for (const subject of subjects) expect(cases).toEqual(expect.arrayContaining([...(subject.cases ?? [])]))
  expect(subjects.find(({ name }) => name === base)?.cases).toBeUndefined()
})

/** Creates a baseline whose request text is changed. */
function cheat(change: (text: string) => string): StepSubject {
  return {
    async prepareSteps(name, request) {
      const write = await stringify.prepareSteps(name, request)
      return async (message) => change(await write(message))
    },
  }
}

it.each([
  ['leaves out the new message', cheat((text) => text.replace(/And in city \d+\?/, '')), 'And in city 0?'],
  ['leaves out the last tool', cheat((text) => text.replaceAll('look_up_9"', 'x"')), 'look_up_9'],
  ['leaves out descriptions', cheat((text) => text.replaceAll('Looks something up', '')), 'Looks something up'],
])('rejects a subject that %s', async (_, subject, problem) => {
  const workload = await openSteps(subject, 'openai-chat', 10)
  await expect(workload.verify()).rejects.toThrow(problem)
})

it('rejects a subject whose requests get shorter after the check', async () => {
  let looked = false
  const workload = await openSteps(
    cheat((text) => (looked ? '{}' : text)),
    'openai-chat',
    10,
  )
  await workload.verify()
  looked = true
  await expect(workload.run()).rejects.toThrow('2 characters for 10 tools')
})

it('rejects a subject that loses a piece of the call', async () => {
  const events = STREAMS['openai-chat']?.(['{"a":', '1}']).map((event) => JSON.stringify(event)) ?? []
  const forgetful = { readStream: () => '{"a":' }
  await expect(openWireStream(forgetful, 'openai-chat', events, '{"a":1}').verify()).rejects.toThrow(
    'its arguments (5 characters) differ from those sent (7 characters)',
  )
})
