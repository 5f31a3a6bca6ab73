/** A small list of tool descriptions, so that `search` also works without the corpora. */
import type { ToolDocument } from './tool-document.ts'

/** One line per tool: `name(arguments): description`. */
const TOOLS: Readonly<Record<string, string>> = {
  weather: `
get_climate_data(region, year): Climate data of a region: mean temperature, rainfall and sunshine of each month
get_forecast(city, days): Weather forecast of a city for the next days
get_air_quality(city): Air quality of a city: ozone, fine dust and pollen
get_tide(harbour, date): Times of high and low tide at a harbour
get_snow_depth(resort): Depth of the snow on the slopes of a ski resort
list_storm_warnings(country): Storm and flood warnings of a country`,
  travel: `
find_flight(origin, destination, date): Flights between two airports on a day
find_train(origin, destination, date): Train connections between two stations, with changes and platforms
book_hotel_room(hotel, arrival, departure, guests): Book a room in a hotel for some nights
find_campsite(place, radius_km): Campsites near a place, with prices for tents and caravans
rent_bicycle(city, hours): Rent a bicycle in a city for some hours
get_visa_rules(nationality, destination): Visa and passport rules for a journey to a country
convert_time_zone(time, origin, destination): Convert a time from one time zone to another
find_parking(address): Free parking spaces near an address, with the price per hour`,
  animals: `
find_shelter(address, radius_km): Animal shelters near an address, with opening hours and the pets that can be adopted
identify_bird(description, place): Identify a bird by its description and the place where it was seen
report_lost_pet(kind, name, address): Report a pet that ran away, so that shelters look out for it
find_veterinarian(address, kind): Veterinarians near an address that treat a kind of animal`,
  food: `
find_recipe(ingredients, minutes): Recipes that need only some ingredients and at most some minutes
get_nutrition(food): Nutrition facts of a food: calories, protein, fat and sugar
plan_meals(days, people, diet): Plan the meals of some days for people on a diet
find_restaurant(city, cuisine): Restaurants of a cuisine in a city, best rated first
reserve_table(restaurant, time, people): Reserve a table in a restaurant
find_substitute(ingredient): Ingredients that can replace another one in a recipe`,
  health: `
find_pharmacy(address): Pharmacies near an address that are open now, also at night
book_doctor(speciality, city, date): Book an appointment with a doctor of a speciality
get_vaccinations(country): Vaccinations that are recommended for a country
log_sleep(date, hours): Record how long a person slept
suggest_workout(goal, minutes): Suggest a workout for a goal, such as strength or endurance`,
  home: `
set_thermostat(room, celsius): Set the temperature of a room
switch_lamp(room, is_on): Switch the lamp of a room on or off
start_vacuum(room): Send the robot vacuum cleaner to a room
read_electricity_meter(date): Electricity that the household used on a day
schedule_sprinkler(start, minutes): Water the garden at a time for some minutes
list_house_plants(room): Plants of a room, with the day when each needs water`,
  work: `
create_invoice(customer, hours, rate): Create an invoice for the hours that were worked for a customer
track_parcel(number): Where a parcel is, and when it arrives
find_meeting_time(people, minutes): Times at which all people are free for a meeting
transcribe_audio(file, language): Transcribe a recording of speech to text
summarize_document(file, words): Summarize a document in some words
compare_contracts(first, second): Show the differences between two contracts
draft_letter(recipient, subject): Draft a formal letter to a recipient`,
  culture: `
find_museum(city, topic): Museums of a city about a topic, with opening hours and tickets
identify_painting(image): Identify a painting, its painter and its year
find_book(title, author): Find a book in the public library, and whether it can be borrowed
list_film_showings(cinema, date): Films that a cinema shows on a day
find_song(lyrics): Find a song by a line of its lyrics
get_poem(poet, topic): A poem of a poet about a topic`,
  science: `
get_element(symbol): Properties of a chemical element
list_visible_planets(place, date): Planets that can be seen with the naked eye at night
get_earthquakes(region, days): Earthquakes in a region during the last days
convert_unit(value, unit, other_unit): Convert a value from one unit of measurement to another
solve_equation(equation): Solve an equation for its unknowns
plot_function(formula, start, end): Draw the graph of a function`,
  finance: `
get_exchange_rate(currency, other_currency, date): Exchange rate between two currencies on a day
get_share_price(company): Price of a company's share at the stock exchange
calculate_loan(amount, interest, years): Monthly payment and total interest of a loan
estimate_tax(income, country): Estimate the income tax of a person`,
}

export const OWN_TOOLS: readonly ToolDocument[] = Object.entries(TOOLS).flatMap(([category, lines]) =>
  lines
    .trim()
    .split('\n')
    .map((line) => toDocument(line, category)),
)

function toDocument(line: string, category: string): ToolDocument {
  const [, name = '', list = '', description = ''] = /^(\w+)\((.*?)\): (.*)$/.exec(line) ?? []
  const properties = Object.fromEntries(list.split(', ').map((argument) => [argument, { type: 'any' }]))
  return { name, description, parameters: { properties }, category }
}
