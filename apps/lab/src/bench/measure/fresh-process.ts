/** Entry point of a fresh process: runs a case that each process can run only once, sends the sample, and exits. */
import { BENCHES } from '../benches.ts'
import type { Answer } from './subject-protocol.ts'

const [benchName, subjectName, caseName = '', peersFolder = '', preparedFolder = ''] = process.argv.slice(2)

// Exits explicitly, because a peer may have left something running, such as a timer.
process.send?.(await answer(), () => process.exit())

async function answer(): Promise<Answer> {
  try {
    const bench = BENCHES.find(({ name }) => name === benchName)
    const subject = bench?.subjects.find(({ name }) => name === subjectName)
    if (bench?.takeOnce === undefined || subject === undefined)
      throw new Error(`The bench ${benchName} has no subject ${subjectName} that runs once per process.`)
    return { sample: await bench.takeOnce(subject, caseName, peersFolder, preparedFolder) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
