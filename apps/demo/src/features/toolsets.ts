/** The shipped toolsets for files and SQL databases beside memory, in one agent. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineSignature } from '@x/adapters'
import { createReactAgent } from '@x/react-agent'
import { DatabaseToolset } from '@x/toolset/database'
import { FileSystemToolset } from '@x/toolset/filesystem'
import { MemoryToolset } from '@x/toolset/memory'
import { openSqlite } from '@x/toolset/sqlite'
import { createLiveView, showAnswer } from '../view/live-view.ts'
import { type Feature, playedBy } from './feature.ts'

const REQUEST = 'Write the titles of all books into books.txt, and remember the file.'
const SETUP = "CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT); INSERT INTO books (title) VALUES ('Emma'), ('Persuasion')"

const call = (id: string, name: string, args: object) => ({ toolCalls: [{ id, name, arguments: JSON.stringify(args) }] })

export const toolsetsFeature: Feature = {
  name: 'toolsets',
  title: 'Work with files, a database and memory',
  packages: '@x/toolset',
  async play(stage) {
    const { terminal, signal, findings } = stage
    const root = await mkdtemp(join(tmpdir(), 'demo-files-'))
    try {
      const lm = playedBy(stage, [
        call('1', 'database_query', { sql: 'SELECT title FROM books ORDER BY title' }),
        call('2', 'database_query', { sql: 'DELETE FROM books' }),
        call('3', 'filesystem_write', { path: '../books.txt', text: 'Emma\nPersuasion\n' }),
        call('4', 'filesystem_write', { path: 'books.txt', text: 'Emma\nPersuasion\n' }),
        call('5', 'memory_store', { key: 'books', value: 'books.txt' }),
        { text: 'The titles are in books.txt.' },
      ])
      const database = new DatabaseToolset({ client: () => openSqlite({ file: ':memory:', setup: SETUP }) })
      await using agent = await createReactAgent({
        name: 'librarian',
        lm,
        tools: [database, new FileSystemToolset({ root }), new MemoryToolset()],
        signature: defineSignature('request -> answer'),
      })
      const run = agent.run({ request: REQUEST }, { signal })
      const view = createLiveView(terminal, REQUEST)
      const failed: string[] = []
      for await (const event of run.stream()) {
        view(event)
        if (event.type === 'call_finished' && !event.ok) failed.push(event.error.reason ?? event.error.code)
      }
      const { outputs } = await run
      showAnswer(terminal, { answer: String(outputs.answer), answered: true })
      findings.expect('refused calls', failed, ['read_only_violation', 'path_outside_root'])
      findings.expect('the file', await readFile(join(root, 'books.txt'), 'utf8'), 'Emma\nPersuasion\n')
    } finally {
      await rm(root, { recursive: true, force: true })
    }
  },
}
