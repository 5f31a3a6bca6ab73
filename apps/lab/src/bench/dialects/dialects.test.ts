/** Tests the parsers of the `dialects` bench: they do the work, and a subject that doesn't is detected. */
import { expect, it } from 'vitest'
import { dialects } from './dialects.ts'
import { openCall } from './dialects-workload.ts'

it.each(dialects.subjects)('$name reads every text', async (subject) => {
  for (const caseName of (subject.cases ?? dialects.cases).filter((one) => / (?:4|16) KiB$/.test(one))) {
    const workload = await dialects.open(subject, caseName, '')
    await workload.verify()
    await workload.run()
    expect(workload.units).toBeGreaterThan(0)
  }
})

it('names the subjects and cases of its goals', () => {
  for (const { cell, over } of dialects.goals)
    for (const { subject, case: caseName } of [cell, over]) {
      const found = dialects.subjects.find(({ name }) => name === subject)
      expect(found?.cases ?? dialects.cases).toContain(caseName)
    }
})

it('rejects a subject that reads nothing, or another value', async () => {
  const json = '{"path":"a","content":"b"}'
  await expect(openCall({ read: () => '' }, 'hermes', json).run()).rejects.toThrow('arguments are missing')
  await expect(openCall({ read: () => '{"path":"a"}' }, 'hermes', json).verify()).rejects.toThrow('differ from those of the call')
})
