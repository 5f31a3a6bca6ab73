import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isToolError } from '@x/tool-core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../../scripts/any-character.ts'
import { filesIn, makeFolder, NO_LINKS, SECRET, WAYS } from '../../../test/filesystem/files.ts'

const piece = fc.oneof(
  fc.constantFrom('..', '.', '', 'a', 'd', 'link', 'file', 'self', 'out.txt', 'outside', 'work', 'work-evil', 's.txt', 'new'),
  fc.constantFrom('...', '~', '%2e%2e', '..%2f', '\\', '..\\', '\0', '\u202e', 'C:', 'x:stream', 'CON', ' ', '\n', '__proto__'),
  fc.string({ unit: anyCharacter, maxLength: 3 }),
)
const nasty = fc
  .tuple(
    fc.constantFrom('', '/', './', '../', '//', 'link/', 'd/'),
    fc.array(piece, { maxLength: 5 }),
    fc.constantFrom('/', '/', '//', ''),
  )
  .map(([start, pieces, separator]) => start + pieces.join(separator))

const RUNS = process.env.X_FULL ? 200 : 60

function filled() {
  const folder = makeFolder()
  const { base, root } = folder
  mkdirSync(join(root, 'd'))
  writeFileSync(join(root, 'a'), 'inside')
  writeFileSync(join(root, 'd/a'), 'inside')
  if (NO_LINKS === '') {
    symlinkSync('..', join(root, 'link'))
    symlinkSync(join(base, 'outside'), join(root, 'd/link'))
    symlinkSync('../out.txt', join(root, 'file'))
    symlinkSync('self', join(root, 'self'))
    symlinkSync('../created', join(root, 'd/new'))
  }
  return folder
}

describe.each(WAYS)('for any path, $way', ({ byPath }) => {
  async function expectNoEscape(base: string, attempt: () => Promise<unknown>) {
    const outcome = await attempt().catch((error) => {
      if (!isToolError(error) || error.reason === undefined) throw error
      return { reason: error.reason, message: error.message }
    })
    expect(JSON.stringify(outcome ?? '')).not.toContain(SECRET)
    expect(JSON.stringify(outcome ?? '')).not.toContain(base)
  }

  it('reads and reports nothing outside', async () => {
    const { base, root } = filled()
    const files = filesIn(root, { byPath })
    const property = fc.asyncProperty(nasty, async (path) => {
      await expectNoEscape(base, () => files.read(path))
      await expectNoEscape(base, () => files.search('secret', path))
      await expectNoEscape(base, async () => {
        const { entries } = await files.list(path, true)
        for (const entry of entries) expect(entry.path).not.toMatch(/s\.txt|out\.txt/)
      })
    })
    await fc.assert(property, { numRuns: RUNS })
  })

  it('creates, changes and deletes nothing outside', async () => {
    const property = fc.asyncProperty(nasty, nasty, async (path, other) => {
      const { base, root, outside } = filled()
      const files = filesIn(root, { byPath })
      const before = outside()
      await expectNoEscape(base, () => files.write(path, 'inside', 'replace'))
      await expectNoEscape(base, () => files.write(other, 'inside', 'append'))
      await expectNoEscape(base, () => files.copy(path, other, true))
      await expectNoEscape(base, () => files.move(other, path, true))
      await expectNoEscape(base, () => files.remove(path, true))
      await expectNoEscape(base, () => files.remove(`d/${other}`, true))
      expect(outside()).toEqual(before)
    })
    await fc.assert(property, { numRuns: RUNS / 2 })
  })
})
