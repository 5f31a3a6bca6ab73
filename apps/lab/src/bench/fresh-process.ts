/** The program of a fresh process: does a case that a process can do only once, sends the sample, and ends. */
import { BENCHES } from './benches.ts'
import type { Answer } from './subject-protocol.ts'

const [benchName, subjectName, caseName = '', peersFolder = '', preparedFolder = ''] = process.argv.slice(2)

// What is left behind, such as the timer of a peer, does not keep it alive.
process.send?.(await answer(), () => process.exit())

async function answer(): Promise<Answer> {
  try {
    const bench = BENCHES.find(({ name }) => name === benchName)
    const subject = bench?.subjects.find(({ name }) => name === subjectName)
    if (bench?.takeOnce === undefined || subject === undefined)
      throw new Error(`There is nothing to do once for a subject ${subjectName} of a bench ${benchName}.`)
    return { sample: await bench.takeOnce(subject, caseName, peersFolder, preparedFolder) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
