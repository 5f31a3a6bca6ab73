/** Tests the argument parsers that need no peer: they do the work, and a subject that doesn't is detected. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { argumentsBench } from './arguments.ts'
import { jsonParse } from './arguments-subjects.ts'
import { BOMBS, longText, rowsText, toDeltas } from './arguments-text.ts'
import { type ArgumentsSubject, openStream, openWhole } from './arguments-workload.ts'

const peers = join(import.meta.dirname, '../../../peers')

for (const name of ['JSON.parse', '@x/adapters']) {
  it(`${name} reads every text: while it streams and whole`, async () => {
    const subject = argumentsBench.subjects.find((candidate) => candidate.name === name)
    if (subject === undefined) throw new Error(`There is no subject ${name}.`)
    for (const caseName of argumentsBench.cases.filter((one) => !one.includes('MiB') && !one.startsWith('bomb'))) {
      const workload = await argumentsBench.open(subject, caseName, peers)
      await workload.verify()
      await workload.run()
      expect(workload.units).toBeGreaterThan(0)
    }
  })

  it.each(Object.keys(BOMBS))(`${name} survives %s`, async (bomb) => {
    const subject = argumentsBench.subjects.find((candidate) => candidate.name === name)
    if (subject === undefined) throw new Error(`There is no subject ${name}.`)
    const workload = await argumentsBench.open(subject, `bomb: ${bomb}`, peers)
    await expect(workload.verify()).resolves.toBeUndefined()
  })
}

it('names the subjects and cases of its goals and limits, and the baseline supports every case', () => {
  const { goals, limits = [], subjects, cases, base } = argumentsBench
  for (const cell of [...goals.flatMap((goal) => [goal.cell, goal.over]), ...limits.map((limit) => limit.cell)]) {
    const subject = subjects.find(({ name }) => name === cell.subject)
    expect(subject?.cases ?? cases).toContain(cell.case)
  }
  for (const subject of subjects) expect(cases).toEqual(expect.arrayContaining([...(subject.cases ?? [])]))
  expect(subjects.find(({ name }) => name === base)?.cases).toBeUndefined()
})

it.each([longText, rowsText])('writes JSON texts of the requested size', (write) => {
  for (const length of [1024, 65_536]) {
    const text = write(length)
    expect(Object.keys(JSON.parse(text)).length).toBeGreaterThan(0)
    expect(Math.abs(text.length - length)).toBeLessThan(200)
    expect(toDeltas(text).join('')).toBe(text)
  }
})

describe('a subject is rejected that', () => {
  const text = rowsText(4096)
  const reader = (read: ArgumentsSubject['read']): ArgumentsSubject => ({ read })

  it('shows fewer values than there are deltas', async () => {
    const workload = openStream(reader(jsonParse.read), text)
    await expect(workload.verify()).rejects.toThrow('it showed partial values 0 times')
    await expect(workload.run()).rejects.toThrow('it showed partial values 0 times')
  })

  it('shows nothing of the available text', async () => {
    const idle = reader(({ deltas, text: all }, show) => {
      for (const _ of deltas) show({})
      return JSON.parse(all)
    })
    await expect(openStream(idle, text).verify()).rejects.toThrow(/after \d+ characters, it had shown 2/)
  })

  it('shows values that the text does not contain', async () => {
    const inventive = reader(({ deltas, text: all }, show) => {
      for (const _ of deltas) show({ ...JSON.parse(all), another: 1 })
      return JSON.parse(all)
    })
    await expect(openStream(inventive, text).verify()).rejects.toThrow('it showed values that the text does not contain')
  })

  it('ends with another value', async () => {
    const careless = reader(({ deltas, text: all }, show) => {
      for (const _ of deltas) show(JSON.parse(all))
      return { rows: [] }
    })
    await expect(openStream(careless, text).verify()).rejects.toThrow('the value differs from that of JSON.parse')
  })

  it('reads a whole text as another value, or refuses it, or does not read it', async () => {
    await expect(openWhole({ ...jsonParse, parse: () => ({}) }, text).verify()).rejects.toThrow('differs from that of JSON.parse')
    await expect(openWhole({ ...jsonParse, parse: () => undefined }, text).run()).rejects.toThrow('Valid text was refused')
    expect(() => openWhole(reader(jsonParse.read), text)).toThrow('only streams')
  })
})
