/** The bank: accounts, transfers and payments of several users in an SQL database. */
import { approvalRequired } from '@x/toolset'
import type { Domain } from '../domain.ts'
import { scenarios } from './requests.ts'
import { FinanceToolset } from './toolset.ts'

export default {
  name: 'finance',
  instructions: 'Help a customer of a bank with their own accounts: balances, transactions, transfers and bills.',
  createTools: ({ connect }) => [approvalRequired(new FinanceToolset(connect), ['transfer_money', 'pay_bill'])],
  scenarios,
} satisfies Domain
