/** Requests to a bank, each with the calls that serve it. All requests of a scenario share a new database. */
import type { Scenario } from '../domain.ts'

export const scenarios: readonly Scenario[] = [
  {
    title: 'Moving and paying',
    requests: [
      {
        request: 'Move 200 dollars from savings to checking and show me the new balance of checking.',
        expected: [
          { tool: 'transfer_money', args: { from_account: 'savings', to_account: 'checking', amount: 200 } },
          { tool: 'get_balance', args: { account: 'checking' } },
        ],
        answer: '545.66',
      },
      {
        request: 'My electricity bill has come: please pay 86.40 dollars to Northwind Energy out of checking.',
        expected: [{ tool: 'pay_bill', args: { payee: 'Northwind Energy', amount: 86.4, account: 'checking' } }],
      },
      {
        request: 'Now transfer 15000 dollars from checking to savings.',
        expected: [
          { tool: 'transfer_money', args: { from_account: 'checking', to_account: 'savings', amount: 15000 }, fails: true },
        ],
      },
    ],
  },
  {
    title: 'Looking at the accounts',
    requests: [
      {
        request: 'Which bank accounts do I have, and how much is in each of them?',
        expected: [{ tool: 'list_accounts' }],
        answer: '345.66',
      },
      {
        request: 'How much do I owe on my credit card?',
        expected: [{ tool: 'get_balance', args: { account: 'credit card' } }],
        answer: '280.41',
      },
      {
        request: 'Show me the last 3 payments that went out of my checking account.',
        expected: [{ tool: 'list_transactions', args: { account: 'checking', kind: 'payment', limit: 3 } }],
        answer: 'Harbour Housing',
      },
      {
        request: 'What happened on my savings account between 2026-10-01 and 2026-10-31?',
        expected: [{ tool: 'list_transactions', args: { account: 'savings', from_date: '2026-10-01', to_date: '2026-10-31' } }],
        answer: '300',
      },
    ],
  },
  {
    title: 'One thing after another',
    requests: [
      {
        request: 'I want to put 89.99 dollars from checking towards my credit card, with the note "November instalment".',
        expected: [
          {
            tool: 'transfer_money',
            args: { from_account: 'checking', to_account: 'credit card', amount: 89.99, note: 'November instalment' },
          },
        ],
      },
      {
        request: 'Pay the rent, 1150 dollars to Harbour Housing from checking, and then list the latest transaction of checking.',
        expected: [
          { tool: 'pay_bill', args: { payee: 'Harbour Housing', amount: 1150, account: 'checking' } },
          { tool: 'list_transactions', args: { account: 'checking', limit: 1 } },
        ],
        answer: 'Harbour Housing',
      },
      {
        request:
          'First move 150.25 dollars from savings to vacation, then 49.75 dollars from checking to vacation, and tell me what vacation holds after that.',
        expected: [
          { tool: 'transfer_money', args: { from_account: 'savings', to_account: 'vacation', amount: 150.25 } },
          { tool: 'transfer_money', args: { from_account: 'checking', to_account: 'vacation', amount: 49.75 } },
          { tool: 'get_balance', args: { account: 'vacation' } },
        ],
        answer: '650',
      },
      {
        request: 'The trip is off. Look up how much is in vacation and move all of it to savings.',
        expected: [
          { tool: 'get_balance', args: { account: 'vacation' } },
          { tool: 'transfer_money', args: { from_account: 'vacation', to_account: 'savings', amount: 650 } },
        ],
      },
    ],
  },
  {
    title: 'What the bank refuses',
    requests: [
      {
        request: 'Pay 5000 dollars to City Electronics with my credit card.',
        expected: [{ tool: 'pay_bill', args: { payee: 'City Electronics', amount: 5000, account: 'credit card' }, fails: true }],
      },
      {
        request: 'Transfer 10 dollars from checking to ACC-1001.',
        expected: [
          { tool: 'transfer_money', args: { from_account: 'checking', to_account: 'ACC-1001', amount: 10 }, fails: true },
        ],
      },
      {
        request: 'What is the balance of my pension account?',
        expected: [{ tool: 'get_balance', args: { account: 'pension' }, fails: true }],
      },
    ],
  },
  {
    title: 'Two customers',
    requests: [
      {
        request: 'How much money is in my checking account?',
        user: 'bob',
        expected: [{ tool: 'get_balance', args: { account: 'checking' } }],
        answer: '265',
      },
      {
        request: 'Tell me the balance of account ACC-1002.',
        user: 'bob',
        expected: [{ tool: 'get_balance', args: { account: 'ACC-1002' }, fails: true }],
      },
      {
        request: 'Transfer 300 dollars from ACC-1002 to my checking account.',
        user: 'bob',
        expected: [
          { tool: 'transfer_money', args: { from_account: 'ACC-1002', to_account: 'checking', amount: 300 }, fails: true },
        ],
      },
      {
        request: 'And how much is in my checking account?',
        expected: [{ tool: 'get_balance', args: { account: 'checking' } }],
        answer: '345.66',
      },
    ],
  },
  {
    title: 'What no tool serves',
    requests: [
      { request: 'Open a new joint account for me and my wife.', expected: [] },
      { request: 'How many euros would I get for 100 dollars today?', expected: [] },
    ],
  },
]
