/** Issues from another library's validator. Libraries repeat values in their messages, and a value may be a password. */
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { type Issue, MAX_ISSUES, NO_ISSUES, shorten } from './issue.ts'
import { pointerOf } from './pointer.ts'
import { RepeatedValues } from './repeated-values.ts'
import { validate } from './validate.ts'

const MAX_MESSAGE = 500

/**
 * Converts issues. A message that repeats a value is replaced with the JSON Schema's message for that place, with what the library
 * expected, or with the message without the value.
 */
export async function toForeignIssues(
  found: readonly StandardSchemaV1.Issue[],
  value: unknown,
  jsonSchema: object,
): Promise<readonly Issue[]> {
  const values = new RepeatedValues(value)
  const issues = new Map<string, Issue>()
  let own: readonly Issue[] | undefined
  for (const issue of found.slice(0, MAX_ISSUES)) {
    const keys = (issue.path ?? []).map((segment) => String(typeof segment === 'object' ? segment.key : segment))
    const path = pointerOf(keys)
    const add = (words: Pick<Issue, 'message' | 'expected'>) =>
      issues.set(`${path} ${words.message}`, { path, keyword: 'standard-schema', ...words })
    const message = shorten(String(issue.message), MAX_MESSAGE)
    const repeated = values.at(keys, issue)
    if (!repeated.isIn(message)) {
      add({ message })
      continue
    }
    own ??= await issuesOf(jsonSchema, value)
    const here = own.filter((candidate) => candidate.path === path)
    for (const { message: words, expected } of here) add({ message: words, ...(expected !== undefined && { expected }) })
    if (here.length > 0) continue
    const { expected } = issue as { readonly expected?: unknown }
    const isSafe = typeof expected === 'string' && !repeated.isIn(expected)
    add(isSafe ? { message: `must be ${shorten(expected, MAX_MESSAGE)}`, expected } : { message: repeated.removedFrom(message) })
  }
  return [...issues.values()].slice(0, MAX_ISSUES)
}

/** Empty if the JSON Schema can't be compiled: its patterns are the library's responsibility. */
async function issuesOf(schema: object, value: unknown): Promise<readonly Issue[]> {
  try {
    return await validate(schema, value)
  } catch {
    return NO_ISSUES
  }
}
