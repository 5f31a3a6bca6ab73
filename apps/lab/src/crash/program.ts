/** The process that is killed, either by itself at a mark or by its parent at any time. */
import { openShop, runOnce } from './run-once.ts'

const [id = '', folder = '', killAt = ''] = process.argv.slice(2)
let marks = 0

const database = await openShop(folder)
process.send?.('ready')
await runOnce(database, id, folder, mark)
await database.close()
process.disconnect?.()

/** Kills this process at the chosen mark, so that no later code runs. */
function mark(words: string): void {
  marks++
  if (killAt === words || killAt === String(marks)) process.kill(process.pid, 'SIGKILL')
}
