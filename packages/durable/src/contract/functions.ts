/** The functions that the suite's runs execute. They request steps in the same way as an agent. */
import type { RunFunction } from '../engine/engine.ts'
import type { ContractWorld } from './world.ts'

export type ContractInput = { readonly amount: number }

/** Functions for worker processes, created for a world. They can be replaced with those of a real agent. */
export interface ContractFunctions {
  /**
   * Calls the model, a tool that reads, the model, a tool that writes once per idempotency key, and the model again. Must request
   * at least the steps in `FIVE_STEPS`, in this order. Returns `paid N`.
   */
  fiveSteps(world: ContractWorld): RunFunction<ContractInput, string>
  /** Waits for a decision about paying an amount, pays the approved amount, and returns `paid N`. */
  approval(world: ContractWorld): RunFunction<ContractInput, string>
  /** Like `approval`, for a payment inside another call. Only agents make such calls. */
  nested?(world: ContractWorld): RunFunction<ContractInput, string>
}

/** Keys of the steps that every `fiveSteps` function requests. */
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

/** The part of a decision about an agent's call that this function uses. */
interface ApprovedArgs {
  readonly type: 'edit'
  readonly args: { readonly amount: number }
}
