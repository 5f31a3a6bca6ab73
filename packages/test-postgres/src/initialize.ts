/** Initializes the data folders of databases, which takes longer than copying them. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, renameSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Makes `data` an initialized data folder for a database of the kind. In a run of `npm test`, `create` initializes the first of each kind, and
 * the others are copies of it. In other runs, `create` initializes each.
 */
export async function initialize(kind: string, data: string, create: () => unknown): Promise<void> {
  const copy = (from: string, to: string) => execFileSync('cp', ['-a', from, to])
  // `cp` keeps the owners of the files. Windows lacks it.
  const templates = process.platform === 'win32' ? undefined : process.env.X_DATABASE_TEMPLATES
  const template = templates === undefined ? undefined : join(templates, kind)
  if (template !== undefined && existsSync(template)) {
    copy(template, data)
    return
  }
  await create()
  if (template === undefined) return
  const own = join(mkdtempSync(`${template}-`), 'data')
  copy(data, own)
  try {
    renameSync(own, template)
  } catch (cause) {
    // Another process was faster.
    if (!existsSync(template)) throw cause
  }
}
