/** Describes the machine on which the bench runs. */
import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'

/** Returns a description of the machine. `node` is the path of the Node that runs the subjects. */
export function describeMachine(node: string): object {
  return {
    date: new Date().toISOString(),
    node: execFileSync(node, ['--version'], { encoding: 'utf8' }).trim(),
    platform: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    /** Load average of the minute before the bench. Other work on the machine makes the figures worse. */
    load: Number(loadavg()[0]?.toFixed(2)),
  }
}
