/** The table of the tasks: the requests, tokens and time of a model that calls tools, and of one that writes a program. */
import type { Table } from '../bench.ts'
import { runTask, type TaskRun, type Way } from './run-task.ts'
import { TASKS, type Task } from './tasks.ts'

const WAYS: readonly Way[] = ['direct', 'code']

/** Creates the table. `rounds` must be odd, so that the median is one of the measured values. */
export async function tabulateTasks(tasks: readonly Task[] = TASKS, rounds = 9): Promise<Table> {
  const rows: (readonly (string | number)[])[] = []
  const sums = new Array<number>(9).fill(0)
  for (const task of tasks) {
    const figures = await measure(task, rounds)
    for (const [index, figure] of figures.entries()) sums[index] = (sums[index] ?? 0) + figure
    rows.push([task.request, ...figures])
  }
  return {
    title:
      'Tasks: the calls of the model in turns (direct), and one program (code). Tokens: 4 characters of JSON each. Milliseconds: ' +
      `wall time with a model that replies at once, median of ${rounds} rounds`,
    head: [
      'task',
      'calls',
      ...['requests', 'tokens sent', 'tokens written', 'ms'].flatMap((figure) => WAYS.map((way) => `${figure}, ${way}`)),
    ],
    rows: [...rows, ['all', ...sums]],
  }
}

/** Measures the two ways alternately, so that a change in the machine's speed affects both. The first round is the warm-up. */
async function measure(task: Task, count: number): Promise<readonly number[]> {
  const rounds: Record<Way, TaskRun>[] = []
  for (let round = 0; round <= count; round++)
    rounds.push({ direct: await runTask(task, 'direct'), code: await runTask(task, 'code') })
  const [{ direct, code }] = rounds as [Record<Way, TaskRun>]
  const times = WAYS.map((way) => {
    const sorted = rounds
      .slice(1)
      .map((round) => round[way].ms)
      .sort((one, other) => one - other)
    return sorted[(count - 1) / 2] ?? 0
  })
  return [
    code.calls,
    ...[direct.requests, code.requests],
    ...[direct.sent, code.sent],
    ...[direct.written, code.written],
    ...times,
  ]
}
