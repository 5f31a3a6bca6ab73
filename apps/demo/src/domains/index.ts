/** The list of domains. Each one is imported only when it is needed. */
import type { DomainEntry } from './domain.ts'

export const DOMAINS: readonly DomainEntry[] = [
  {
    name: 'treasure_hunt',
    title: 'Treasure hunt',
    examples: ['Give me a hint about the treasure', 'I have been given 2 hints already. Give me one more.'],
    load: () => import('./treasure-hunt/index.ts'),
  },
  {
    name: 'ecommerce',
    title: 'Online shop',
    examples: [
      'Find headphones with a rating of at least 4.5',
      'Find laptops under 1000 dollars and add the cheapest one to my cart',
      'Show me phones that cost between 400 and 700 dollars',
      'Which of your cameras has the best rating?',
      'Get the details of product LAP-101',
      'What is in my cart?',
    ],
    load: () => import('./ecommerce/index.ts'),
  },
  {
    name: 'finance',
    title: 'Bank accounts',
    examples: [
      'Which bank accounts do I have, and how much is in each of them?',
      'Move 200 dollars from savings to checking and show me the new balance of checking',
      'Pay 86.40 dollars to Northwind Energy out of checking',
      'How much do I owe on my credit card?',
      'Show me the last 3 payments that went out of my checking account',
    ],
    load: () => import('./finance/index.ts'),
  },
  {
    name: 'events',
    title: 'Events',
    examples: [
      'Which concerts are coming up?',
      'Find a workshop in Lisbon and register me for it',
      'What can I go to in Vienna for at most 30 euros?',
      'Show me the exhibitions between 1 May 2027 and 31 May 2027',
    ],
    load: () => import('./events/index.ts'),
  },
  {
    name: 'productivity',
    title: 'Reminders',
    examples: ['Remind me to call the dentist tomorrow at 9 am', 'What reminders do I have?'],
    load: () => import('./productivity/index.ts'),
  },
  {
    name: 'language',
    title: 'Languages',
    examples: ['Translate "Good morning" to French', 'Which languages can you translate into?'],
    load: () => import('./language/index.ts'),
  },
  {
    name: 'memory',
    title: 'Memory',
    examples: [
      'Remember that my favorite tea is Blue Lotus',
      'Save "42 Elm Street" under the key "address"',
      'List all stored keys',
    ],
    load: () => import('./memory/index.ts'),
  },
]
