/** The program of a fresh process: runs a case that a process can do only once, sends the sample, and exits. */
import { BENCHES } from '../benches.ts'
import type { Answer } from './subject-protocol.ts'

const [benchName, subjectName, caseName = '', peersFolder = '', preparedFolder = ''] = process.argv.slice(2)

// Leftovers such as a peer's timer don't keep it alive.
process.send?.(await answer(), () => process.exit())

async function answer(): Promise<Answer> {
  try {
    const bench = BENCHES.find(({ name }) => name === benchName)
    const subject = bench?.subjects.find(({ name }) => name === subjectName)
    if (bench?.takeOnce === undefined || subject === undefined)
      throw new Error(`The bench ${benchName} has no once-per-process work for a subject ${subjectName}.`)
    return { sample: await bench.takeOnce(subject, caseName, peersFolder, preparedFolder) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
