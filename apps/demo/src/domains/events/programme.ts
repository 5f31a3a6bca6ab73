/** The programme of the events service: invented events in 2027. */

export const CATEGORIES = ['concert', 'conference', 'workshop', 'exhibition', 'sports'] as const
export const CITIES = ['Lisbon', 'Oslo', 'Vienna'] as const

export type Category = (typeof CATEGORIES)[number]
export type City = (typeof CITIES)[number]

export interface ProgrammeItem {
  readonly event_id: string
  readonly title: string
  readonly category: Category
  readonly city: City
  /** ISO date. */
  readonly date: string
  /** Price of one seat, in euros. */
  readonly price: number
  /** Number of seats before anyone has registered. */
  readonly seats: number
  readonly description: string
}

type Row = readonly [string, string, Category, City, string, number, number, string]

const ROWS: readonly Row[] = [
  ['EVT-101', 'Fjord Jazz Night', 'concert', 'Oslo', '2027-02-12', 45, 120, 'Three trios from the north, in the old boat hall'],
  ['EVT-102', 'Winter Strings', 'concert', 'Vienna', '2027-01-23', 60, 0, 'A string quartet by candlelight'],
  ['EVT-103', 'Rock by the River', 'concert', 'Lisbon', '2027-07-10', 55, 800, 'Five bands in the open air, doors at 17:00'],
  ['EVT-104', 'Small Tools Conference', 'conference', 'Vienna', '2027-03-18', 390, 150, 'Two days of talks on software tools'],
  [
    'EVT-105',
    'Quiet Streets Summit',
    'conference',
    'Lisbon',
    '2027-05-20',
    250,
    300,
    'How cities become calm, green and walkable',
  ],
  ['EVT-106', 'Northern Maps Forum', 'conference', 'Oslo', '2027-09-09', 320, 90, 'Maps, open data and navigation'],
  [
    'EVT-107',
    'Bread Baking for Beginners',
    'workshop',
    'Vienna',
    '2027-02-27',
    75,
    12,
    'Sourdough from starter to loaf, flour included',
  ],
  [
    'EVT-108',
    'Urban Sketching',
    'workshop',
    'Lisbon',
    '2027-04-17',
    40,
    3,
    'A morning of drawing in the streets, paper included',
  ],
  [
    'EVT-109',
    'First Pots',
    'workshop',
    'Oslo',
    '2027-03-06',
    85,
    8,
    'Pottery on the wheel for beginners, clay and firing included',
  ],
  ['EVT-110', 'Light and Water', 'exhibition', 'Oslo', '2027-06-05', 15, 200, 'Installations with light by eight artists'],
  ['EVT-111', 'A Century of Posters', 'exhibition', 'Vienna', '2027-05-08', 12, 250, 'Posters of theatres, trains and cinemas'],
  ['EVT-112', 'Tiles of the South', 'exhibition', 'Lisbon', '2027-03-13', 0, 100, 'Painted tiles of four centuries, free entry'],
  ['EVT-113', 'Harbour Half Marathon', 'sports', 'Oslo', '2027-05-29', 50, 1000, 'A flat run of 21.1 km along the harbour'],
  ['EVT-114', 'Seven Hills Run', 'sports', 'Lisbon', '2027-10-03', 35, 1500, 'A run of 12 km with many steps'],
  ['EVT-115', 'Danube Night Run', 'sports', 'Vienna', '2027-09-18', 25, 600, 'A run of 10 km after sunset, with head lamps'],
]

/** The programme, earliest event first. */
export const PROGRAMME: readonly ProgrammeItem[] = ROWS.map(
  ([event_id, title, category, city, date, price, seats, description]) => ({
    event_id,
    title,
    category,
    city,
    date,
    price,
    seats,
    description,
  }),
).sort((one, other) => one.date.localeCompare(other.date))
