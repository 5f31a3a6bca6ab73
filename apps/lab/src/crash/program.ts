/** The process that is killed: at its n-th mark by itself, or at any time by the one that started it. */
import { openShop, runOnce } from './run-once.ts'

const [id = '', folder = '', killAt = '0'] = process.argv.slice(2)
let marks = 0

const database = await openShop(folder)
process.send?.('ready')
await runOnce(database, id, folder, mark)
await database.close()
process.disconnect?.()

/** Nothing runs in this process after its last mark. */
function mark(): void {
  marks++
  if (marks === Number(killAt)) process.kill(process.pid, 'SIGKILL')
}
