/** Entry point of a child process: runs one subject in one case, and measures it at the parent's request. */
import { BENCHES } from '../benches.ts'
import { SubjectHost } from './subject-host.ts'
import type { Question } from './subject-protocol.ts'

const [benchName, subjectName, caseName = '', peersFolder = '', preparedFolder = ''] = process.argv.slice(2)
const bench = BENCHES.find(({ name }) => name === benchName)
const subject = bench?.subjects.find(({ name }) => name === subjectName)
if (bench === undefined || subject === undefined) throw new Error(`The bench ${benchName} has no subject ${subjectName}.`)

const host = new SubjectHost(() => bench.open(subject, caseName, peersFolder, preparedFolder))
process.on('message', async (question: Question) => process.send?.(await host.answer(question)))
// Exits when the parent disconnects, even if the parent was killed.
process.on('disconnect', () => process.exit())
