/** The initial products of the shop. */

export const CATEGORIES = ['laptops', 'phones', 'headphones', 'monitors', 'keyboards', 'cameras'] as const

export type Category = (typeof CATEGORIES)[number]

export interface CatalogItem {
  readonly product_id: string
  readonly name: string
  readonly category: Category
  readonly description: string
  /** Price in dollars. */
  readonly price: number
  readonly rating: number
  readonly stock: number
}

type Row = readonly [string, string, Category, number, number, number, string]

const ROWS: readonly Row[] = [
  ['LAP-101', 'AeroBook 13', 'laptops', 899, 4.6, 12, '13 inch ultrabook, 16 GB memory, 512 GB storage, 1.1 kg'],
  ['LAP-102', 'StudyMate 14', 'laptops', 549, 4.1, 30, '14 inch notebook for school and office, 8 GB memory'],
  ['LAP-103', 'PixelForge 16', 'laptops', 1899, 4.8, 5, '16 inch workstation with a dedicated graphics card, 32 GB memory'],
  ['LAP-104', 'NomadBook 15', 'laptops', 749.5, 4.3, 9, '15 inch all-rounder, 16 GB memory, 12 hours of battery'],
  ['LAP-105', 'RaidStation 17', 'laptops', 1499, 4.4, 0, '17 inch gaming machine, 165 Hz screen'],
  ['PHN-201', 'Orbit One', 'phones', 699, 4.5, 25, '6.1 inch smartphone, 128 GB, two cameras'],
  ['PHN-202', 'Orbit Mini', 'phones', 449, 4.2, 18, '5.4 inch smartphone, 64 GB'],
  ['PHN-203', 'Granite Pro', 'phones', 1099, 4.7, 7, '6.7 inch smartphone, 512 GB, three cameras'],
  ['AUD-301', 'QuietSphere', 'headphones', 279, 4.7, 14, 'Wireless over-ear, noise cancelling, 30 hours'],
  ['AUD-302', 'CityBuds', 'headphones', 89.99, 4.0, 60, 'Wireless in-ear with charging case'],
  ['AUD-303', 'StudioLine 80', 'headphones', 149, 4.8, 11, 'Wired over-ear for mixing and recording'],
  ['AUD-304', 'JogClip', 'headphones', 39.5, 3.7, 80, 'In-ear for sports, sweat proof'],
  ['MON-401', 'ClearView 24', 'monitors', 159, 4.2, 22, '24 inch screen, full HD'],
  ['MON-402', 'ClearView 27', 'monitors', 329, 4.6, 13, '27 inch screen, 4K, USB-C'],
  ['MON-403', 'WideDesk 34', 'monitors', 649, 4.5, 4, '34 inch curved ultrawide screen'],
  ['KEY-501', 'ClackMaster', 'keyboards', 119, 4.6, 17, 'Mechanical, brown switches, backlit'],
  ['KEY-502', 'SlimType', 'keyboards', 49, 4.1, 40, 'Flat wireless, for three devices'],
  ['CAM-601', 'Lumen X5', 'cameras', 999, 4.7, 6, 'Mirrorless, 26 megapixels, with 18-55 mm lens'],
  ['CAM-602', 'PocketShot', 'cameras', 379, 4.0, 10, 'Compact with 10x zoom'],
  ['CAM-603', 'TrailCam 4K', 'cameras', 219, 4.3, 15, 'Action camera, waterproof to 10 m'],
]

export const CATALOG: readonly CatalogItem[] = ROWS.map(([product_id, name, category, price, rating, stock, description]) => ({
  product_id,
  name,
  category,
  description,
  price,
  rating,
  stock,
}))
