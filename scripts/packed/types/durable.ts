/** Misuses of @x/durable. Each one must be a type error. */
import { createFileEngine, type DurableRun } from '@x/durable'
import { contractCases } from '@x/durable/contract'
import { createDbosEngine } from '@x/durable/dbos'
import { createRestateEngine } from '@x/durable/restate'

const fn = async ({ question }: { question: string }, run: DurableRun) => ({
  // @ts-expect-error a step key must be a string
  answer: await run.steps.run(1, async () => question),
})
const onFile = await createFileEngine({ folder: 'runs', fn })
// @ts-expect-error the input field is `question`
onFile.start('1', { answer: 'Tea.' })
// @ts-expect-error an answer is text
export const answer: number = (await onFile.result('1')).answer
const onPostgres = await createDbosEngine({ name: 'app', databaseUrl: 'postgres://localhost/app', fn })
// @ts-expect-error the input field is `question`
onPostgres.start('1', { answer: 'Tea.' })
const onRestate = await createRestateEngine({ name: 'app', ingressUrl: 'http://localhost', adminUrl: 'http://localhost', fn })
// @ts-expect-error the input field is `question`
onRestate.start('1', { answer: 'Tea.' })
// @ts-expect-error a harness must be an object
contractCases(1)
