/** Families of everyday words that have similar or related meanings. */
import { stemOf } from './stem.ts'

/** Returns the indexes of the families that contain a stem. */
export function familiesOf(stem: string): readonly number[] {
  byStem ??= readFamilies()
  return byStem.get(stem) ?? NONE
}

const NONE: readonly number[] = []

/** The families of each stem. Created by the first search in the process, and not changed after that. */
let byStem: ReadonlyMap<string, readonly number[]> | undefined

function readFamilies(): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>()
  for (let number = 0; number < FAMILIES.length; number++) {
    for (const word of (FAMILIES[number] as string).split(' ')) {
      const stem = stemOf(word)
      const numbers = found.get(stem)
      if (numbers === undefined) found.set(stem, [number])
      else if (numbers.at(-1) !== number) numbers.push(number)
    }
  }
  return found
}

/**
 * Families for the usual topics of tools, one per line. They weren't derived from any set of queries. A word may belong to several
 * families. Words with many meanings are left out.
 */
const FAMILIES = `
buy purchase shop shopping store order price product deal ecommerce retail
sell seller sale market marketplace
cheap discount coupon deal offer saving bargain promo affordable
price cost fee rate expense amount budget
pay payment bill invoice transaction charge checkout receipt
gift present
job career hire hiring employment work vacancy recruit recruiter resume cv occupation profession
salary wage income pay compensation earnings
employee staff worker personnel colleague
company business firm corporation enterprise organization startup brand
weather forecast temperature rain climate humidity wind snow sunny sun meteorological precipitation storm
trip travel journey tour vacation holiday itinerary destination tourism tourist visit sightseeing attraction
hotel accommodation lodging stay room hostel airbnb resort motel
flight plane airline airport fly airfare
car vehicle automobile auto drive driver motor
train railway bus subway transit transport transportation
taxi cab ride rideshare uber
book reserve reservation booking appointment
event concert festival exhibition show conference ticket
restaurant dining dine eat cafe food cuisine menu
food meal recipe dish cook cooking cuisine ingredient dinner lunch breakfast grocery
diet nutrition calorie nutrient nutritional
drink beverage cocktail wine beer coffee
movie film cinema theater tv television series
video clip youtube footage film watch stream
music song track audio playlist album artist melody listen
singer artist band musician
book novel literature author reader reading library
author writer novelist
game gaming gamer player videogame
sport football soccer basketball baseball tennis match league team
team club squad
news headline article journalism press
article blog post story
write writing writer author compose draft essay text copywriting
paper research study academic scholarly journal publication literature arxiv scientific science
summarize summary abstract digest brief shorten
translate translation translator language interpret
language vocabulary grammar linguistic
learn study education educational teach course tutor lesson class training tutorial school student
teacher instructor tutor professor mentor
school college university campus
test exam quiz question trivia
doctor physician medical clinic hospital health patient healthcare
illness disease symptom diagnosis sick medical
medicine drug medication pharmacy pill
exercise workout fitness gym training sport
house home property estate apartment rent rental housing condo realtor mortgage
loan mortgage credit borrow lending debt
money finance financial fund cash bank banking
stock share equity invest investment investor trading portfolio market finance
crypto cryptocurrency bitcoin blockchain token coin ethereum nft
insurance policy coverage premium
tax taxation vat
law legal attorney lawyer court judge lawsuit patent regulation
crime criminal police offense felony
map location place address geography
route direction path navigate navigation distance travel
city town place location municipality country region
image picture photo photograph drawing art visual illustration
draw drawing sketch paint painting painter artwork art
museum gallery exhibit sculpture art
design create creative style
logo brand branding icon
diagram chart graph plot visualize visualization flowchart
website web site page url webpage domain internet online link http https www
search find lookup browse discover explore seek locate
seo keyword ranking traffic optimization
marketing advertisement advertising ad campaign promotion promote
email mail inbox gmail
message chat text sms conversation talk
phone call mobile telephone
document pdf file doc
file upload download storage folder directory
code programming developer software coding program script github
bug error issue debug
database sql query table
data dataset statistic analytics analysis analyze
compute calculate calculation calculator math mathematics equation formula evaluate
solve solution solver answer
average mean median
probability chance likelihood
convert conversion transform converter
compare comparison versus difference
schedule calendar appointment meeting reminder
plan planner planning organize
todo task reminder productivity
astrology horoscope zodiac tarot fortune
pet dog cat animal
plant garden gardening flower
child kid baby parent
fashion clothes clothing outfit wear apparel dress
beauty makeup cosmetic skincare
joke humor funny comedy
quote saying proverb
poem poetry poet
character persona roleplay
speech voice speak audio pronunciation
podcast episode audio radio
religion religious bible prayer scripture christian
space planet astronomy nasa star orbit
earthquake disaster hazard
energy electricity power solar
environment environmental climate carbon emission pollution
air quality pollution
security secure protect scan vulnerability
password login authentication credential
social media twitter instagram facebook tiktok
recommend recommendation suggestion suggest advice
review rating feedback opinion
vote election politics government political
history historical past
predict prediction forecast estimate
random generate generator
delete remove erase
update modify edit change
start launch begin boot
stop halt cancel terminate
light lamp bulb brightness
user account profile member
client customer
supplier vendor provider
parcel package shipment shipping delivery ship deliver tracking
nearby near nearest closest
date day today tomorrow yesterday tonight monday tuesday wednesday thursday friday saturday sunday weekend january february april june july august september october november december month year
time hour minute am pm morning evening afternoon duration
temperature celsius fahrenheit kelvin degree hot cold warm
currency money dollar euro usd eur gbp pound yen
length distance meter kilometer km mile foot feet inch cm
weight mass kilogram kg gram pound lb ounce
color colour red blue green yellow black white
latitude longitude coordinate gps location
`
  .trim()
  .split('\n')

export const FAMILY_COUNT = FAMILIES.length
