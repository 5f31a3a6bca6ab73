/** What the runs of the suite do: as much as an agent does, by steps alone. */
import type { RunFunction } from '../engine/engine.ts'
import type { ContractWorld } from './world.ts'

export type ContractInput = { readonly amount: number }

/** Of a world, the functions that worker processes execute. Those of an agent may take their place. */
export interface ContractFunctions {
  /**
   * A model is asked, a tool reads, the model is asked, a tool writes once by its idempotency key, the model is asked: at least
   * `FIVE_STEPS`, in this order. Gives `paid N`.
   */
  fiveSteps(world: ContractWorld): RunFunction<ContractInput, string>
  /** Waits for a decision about a payment of the amount, pays what was approved, and gives `paid N`. */
  approval(world: ContractWorld): RunFunction<ContractInput, string>
}

/** Keys of steps that every function with five steps has. */
export const FIVE_STEPS = ['model-1', 'call-look', 'model-2', 'call-pay', 'model-3'] as const

export const contractFunctions: ContractFunctions = {
  fiveSteps:
    (world) =>
    async ({ amount }, run) => {
      const steps = world.watched(run)
      await steps.run('model-1', () => world.think())
      await steps.run('call-look', () => world.think())
      await steps.run('model-2', () => world.think())
      await steps.run('intent-pay', async () => 'about to')
      await steps.run('call-pay', () => world.write(run.id, 'payment', `${run.id}/pay`))
      return await steps.run('model-3', async () => `paid ${amount}`)
    },
  approval:
    (world) =>
    async ({ amount }, run) => {
      const steps = world.watched(run)
      await steps.run('model-1', () => world.think())
      const approved = (await steps.wait('approval-pay', { name: 'pay', args: { amount } })) as ApprovedArgs
      await steps.run('call-pay', () => world.write(run.id, `payment of ${approved.args.amount}`, `${run.id}/pay`))
      return `paid ${approved.args.amount}`
    },
}

/** The decision, as that of an agent's approval. */
interface ApprovedArgs {
  readonly type: 'edit'
  readonly args: { readonly amount: number }
}
