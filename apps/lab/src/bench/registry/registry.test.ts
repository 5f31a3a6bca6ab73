/** Tests the ways to provide many tools: each does the work in every case, and a subject that doesn't is detected. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Tool } from '@x/tool-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registry } from './registry.ts'
import { type ModuleFolder, writeModules } from './registry-modules.ts'
import { bareImport, eager, registry as lazyRegistry } from './registry-subjects.ts'
import { type Catalog, openLookUp, type RegistrySubject, takeFirst, takeRegistration, takeWarm } from './registry-workload.ts'

const SAMPLE = { cpu: expect.any(Number), wall: expect.any(Number) }
const modules: ModuleFolder = { folder: mkdtempSync(join(tmpdir(), 'x-bench-registry-')), count: 12 }
beforeAll(() => writeModules(modules, join(import.meta.dirname, '../../../node_modules')))
afterAll(() => rmSync(modules.folder, { recursive: true, force: true }))

for (const [name, subject] of Object.entries({ eager, bareImport, lazyRegistry })) {
  it(`${name} registers every tool, and gives the three that are asked for`, async () => {
    expect(await takeRegistration(subject, modules)).toEqual(SAMPLE)
  })
}

for (const [name, subject] of Object.entries({ bareImport, lazyRegistry })) {
  it(`${name} resolves three tools, cold and warm, for one agent and for ten, again and again`, async () => {
    for (const sample of [
      await takeFirst(subject, modules, 'cold'),
      await takeFirst(subject, modules, 'warm'),
      await takeWarm(subject, modules, 1),
      await takeWarm(subject, modules, 10),
    ]) {
      expect(sample).toEqual(SAMPLE)
    }
    const lookUp = await openLookUp(subject, modules)
    await lookUp.verify()
    await lookUp.run()
    expect(lookUp.units).toBe(100)
  })
}

it('passes unresolved tools to every batch', async () => {
  let created = 0
  const counting: RegistrySubject = {
    ...bareImport,
    create(tools) {
      created++
      return bareImport.create?.(tools) as Catalog
    },
  }
  await takeWarm(counting, modules, 1)
  expect(created).toBe(13)
})

it('names the subjects and cases of its goals and limits, and the baseline supports every case', () => {
  const limits = registry.limits ?? []
  for (const cell of [...registry.goals.flatMap((goal) => [goal.cell, goal.over]), ...limits.map((limit) => limit.cell)]) {
    const subject = registry.subjects.find(({ name }) => name === cell.subject)
    expect(subject?.cases ?? registry.cases).toContain(cell.case)
  }
  expect(registry.subjects.find(({ name }) => name === registry.base)?.cases).toBeUndefined()
})

/** Creates a subject with manual imports whose catalog is changed. */
function cheat(change: (catalog: Catalog) => Catalog): RegistrySubject {
  const { register, create } = bareImport
  return {
    register: async (folder) => change(await register(folder)),
    create: (tools) => change((create as NonNullable<typeof create>)(tools)),
  }
}

const forgetful = cheat((catalog) => ({ ...catalog, size: catalog.size - 1 }))
const stingy = cheat(({ size, resolve }) => ({ size, resolve: async (names) => [...(await resolve(names))].slice(1) }))
const swapped = cheat(({ size, resolve }) => ({ size, resolve: async (names) => [...(await resolve(names))].reverse() }))
const forging = cheat(({ size, resolve }) => ({
  size,
  async resolve(names) {
    const [tool, ...others] = [...(await resolve(names))] as [Tool, ...Tool[]]
    return [{ ...tool, execute: () => ({ way: -1 }) }, ...others]
  },
}))

it('rejects a subject that omits a tool', async () => {
  await expect(takeRegistration(forgetful, modules)).rejects.toThrow('11 tools were registered, not 12')
})

it.each([
  ['does not give all that was asked for', stingy, 'got lookup_6, lookup_11'],
  ['gives them in another order', swapped, 'got lookup_11, lookup_6, lookup_0'],
  ['gives a tool that does something else', forging, 'lookup_0 returned {"way":-1}'],
])('rejects a subject that %s', async (_, subject, problem) => {
  await expect(takeRegistration(subject, modules)).rejects.toThrow(problem)
  await expect(takeFirst(subject, modules, 'cold')).rejects.toThrow(problem)
  await expect(takeFirst(subject, modules, 'warm')).rejects.toThrow(problem)
  await expect(takeWarm(subject, modules, 2)).rejects.toThrow('lookup_')
  const lookUp = await openLookUp(subject, modules)
  await expect(lookUp.verify()).rejects.toThrow(problem)
})

it('rejects a subject that only registers in a case that resolves new tools', async () => {
  await expect(takeWarm(eager, modules, 1)).rejects.toThrow("This subject can't import tools on demand.")
})
