/** The workload of the `code` bench: a program that calls a tool many times and returns the sum of the results. */
import type { Workload } from '../bench.ts'

/** How a program makes its calls. With `start`, it makes none, and a run counts as one unit. */
export type Calls = 'in a row' | '50 at once' | 'start'

export interface CodeSubject {
  open(host: CodeHost): Promise<CodeRunner> | CodeRunner
}

export interface CodeHost {
  /** Maximum number of calls of a program. */
  readonly calls: number
  /** Implements the tool `look`. */
  look(args: { value: number }): Found
}

export interface CodeRunner {
  /** Runs a program, which is the body of an async function that calls `tools.look`. Resolves to the program's return value. */
  run(program: string): Promise<unknown>
}

/** A result of the tool. It has about 175 bytes as JSON. */
export interface Found {
  readonly value: number
  readonly title: string
  readonly tags: readonly string[]
}

const CALLS = 500
const AT_ONCE = 50

const PROGRAMS: Readonly<Record<Calls, string>> = {
  'in a row': `let sum = 0; for (let value = 1; value <= ${CALLS}; value++) sum += read(await tools.look({ value })).value; return sum`,
  '50 at once': `let sum = 0
for (let from = 0; from < ${CALLS}; from += ${AT_ONCE}) {
  const all = await Promise.all(Array.from({ length: ${AT_ONCE} }, (_, index) => tools.look({ value: from + index + 1 })))
  for (const each of all) sum += read(each).value
}
return sum`,
  start: 'return 0',
}

/** LangChain's programs receive results as text. All other programs receive them as values. */
const READ = "const read = (result) => typeof result === 'string' ? JSON.parse(result) : result; "

export async function openProgram(subject: CodeSubject, how: Calls): Promise<Workload> {
  let made: number[] = []
  const look = ({ value }: { value: number }): Found => {
    made.push(value)
    return {
      value,
      title: `The record ${value} of the list, with a title of some length`,
      tags: ['first', 'second', 'third', 'fourth'],
    }
  }
  const { run } = await subject.open({ calls: CALLS, look })
  const program = READ + PROGRAMS[how]
  const count = how === 'start' ? 0 : CALLS
  const once = async () => {
    made = []
    const sum = await run(program)
    if (sum !== (count * (count + 1)) / 2) throw new Error(`The program returned ${JSON.stringify(sum)}.`)
    if (made.length !== count) throw new Error(`The tool was executed ${made.length} times, not ${count} times.`)
  }
  return {
    units: Math.max(1, count),
    run: once,
    async verify() {
      await once()
      const wrong = made.findIndex((value, index) => value !== index + 1)
      if (wrong >= 0) throw new Error(`Call ${wrong + 1} was executed with ${made[wrong]}.`)
    },
  }
}
