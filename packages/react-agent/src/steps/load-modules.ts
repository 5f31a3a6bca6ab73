/** Loads the modules that agents load at their first use. */

/**
 * Loads what runs agents, and the validators, so that an engine's worker has them before it executes runs. Otherwise, the first run that
 * needs them loads them. A process that has no free file descriptors can't do that, and Node may keep the failure for as long as the process
 * lives. Never rejects, because a bundle may lack modules that its agents don't need.
 */
export async function loadModules(): Promise<void> {
  try {
    await import('../loaded-at-use.ts')
  } catch {}
  const { validate } = await import('@x/tool-core')
  const drafts = ['2019-09', '2020-12'].map((draft) => ({
    $schema: `https://json-schema.org/draft/${draft}/schema`,
    ...USES_ALL,
  }))
  for (const schema of [...drafts, FOR_INTERPRETER]) await validate(schema, {}).catch(() => {})
}

/** Uses what has modules of its own: references, formats, and a pattern that must be proven to be fast. Draft 7 needs no other modules. */
const USES_ALL = {
  properties: { a: { $ref: '#/definitions/a' } },
  definitions: { a: { format: 'date', pattern: '^(a|b)*$' } },
}

/** AJV doesn't support this schema. */
const FOR_INTERPRETER = { nullable: true }
