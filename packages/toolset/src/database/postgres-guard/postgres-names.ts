/** The functions, operators, types and settings of PostgreSQL that a model's SQL may use, because they only compute or read. */

/** Functions that are allowed. A test compares them with PostgreSQL: only a few of them, such as `random`, may be volatile. */
export const FUNCTIONS = toSet(`
  count sum avg min max array_agg string_agg bool_and bool_or every bit_and bit_or bit_xor any_value mode percentile_cont percentile_disc
  corr covar_pop covar_samp regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy
  stddev stddev_pop stddev_samp variance var_pop var_samp range_agg range_intersect_agg
  row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
  abs acos acosd acosh asin asind asinh atan atan2 atan2d atand atanh cbrt ceil ceiling cos cosd cosh cot cotd degrees div erf erfc exp
  factorial floor gamma gcd lcm lgamma ln log log10 min_scale mod pi pow power radians random round scale sign sin sind sinh sqrt tan tand
  tanh trim_scale trunc width_bucket num_nonnulls num_nulls
  ascii bit_count bit_length btrim casefold char_length character_length chr concat concat_ws convert convert_from convert_to crc32 crc32c
  decode encode format get_bit get_byte initcap is_normalized left length like_escape lower lpad ltrim md5 normalize octet_length overlay
  parse_ident position quote_ident quote_literal quote_nullable regexp_count regexp_instr regexp_like regexp_match regexp_matches
  regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr repeat replace reverse right rpad rtrim set_bit set_byte
  sha224 sha256 sha384 sha512 similar_escape similar_to_escape split_part starts_with string_to_array string_to_table strpos substr
  substring text textlen to_ascii to_bin to_hex to_oct translate unistr upper
  age clock_timestamp date date_add date_bin date_part date_subtract date_trunc extract isfinite justify_days justify_hours
  justify_interval make_date make_interval make_time make_timestamp make_timestamptz now overlaps statement_timestamp timeofday timezone
  to_char to_date to_number to_timestamp transaction_timestamp
  array_append array_cat array_dims array_fill array_length array_lower array_ndims array_position array_positions array_prepend
  array_remove array_replace array_reverse array_sample array_shuffle array_sort array_to_json array_to_string array_upper cardinality
  generate_series generate_subscripts trim_array unnest
  json_agg json_agg_strict json_array_elements json_array_elements_text json_array_length json_build_array json_build_object json_each
  json_each_text json_extract_path json_extract_path_text json_object json_object_agg json_object_agg_strict json_object_agg_unique
  json_object_agg_unique_strict json_object_keys json_populate_record json_populate_recordset json_strip_nulls json_to_record
  json_to_recordset json_typeof jsonb_agg jsonb_agg_strict jsonb_array_elements jsonb_array_elements_text jsonb_array_length
  jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path jsonb_extract_path_text jsonb_insert jsonb_object
  jsonb_object_agg jsonb_object_agg_strict jsonb_object_agg_unique jsonb_object_agg_unique_strict jsonb_object_keys jsonb_path_exists
  jsonb_path_exists_tz jsonb_path_match jsonb_path_match_tz jsonb_path_query jsonb_path_query_array jsonb_path_query_array_tz
  jsonb_path_query_first jsonb_path_query_first_tz jsonb_path_query_tz jsonb_populate_record jsonb_populate_recordset jsonb_pretty
  jsonb_set jsonb_set_lax jsonb_strip_nulls jsonb_to_record jsonb_to_recordset jsonb_typeof row_to_json to_json to_jsonb
  datemultirange daterange int4multirange int4range int8multirange int8range isempty lower_inc lower_inf multirange nummultirange numrange
  range_merge tsmultirange tsrange tstzmultirange tstzrange upper_inc upper_inf
  area bound_box box center circle diagonal diameter height isclosed ishorizontal isopen isparallel isperp isvertical line lseg npoints
  path pclose point polygon popen radius slope width
  abbrev broadcast family host hostmask inet_merge inet_same_family masklen netmask network set_masklen
  array_to_tsvector get_current_ts_config json_to_tsvector jsonb_to_tsvector numnode phraseto_tsquery plainto_tsquery querytree setweight
  strip to_tsquery to_tsvector ts_delete ts_filter ts_headline ts_rank ts_rank_cd tsquery_phrase tsvector_to_array websearch_to_tsquery
  enum_first enum_last enum_range gen_random_uuid uuid_extract_timestamp uuid_extract_version uuidv4 uuidv7
  bit bool bpchar bytea char cidr float4 float8 int2 int4 int8 interval macaddr money name numeric oid regclass time timestamp timestamptz
  timetz varbit varchar
  col_description current_database current_schema current_schemas format_type has_any_column_privilege has_column_privilege
  has_schema_privilege has_table_privilege obj_description pg_collation_for pg_column_size pg_database_size pg_get_constraintdef
  pg_get_expr pg_get_indexdef pg_get_serial_sequence pg_get_userbyid pg_get_viewdef pg_indexes_size pg_relation_size
  pg_size_bytes pg_size_pretty pg_table_is_visible pg_table_size pg_total_relation_size pg_typeof to_regclass to_regnamespace to_regtype
  version`)

export const OPERATORS = toSet(`
  !! !~ !~* !~~ !~~* # ## #- #> #>> % & && &< &<| &> * *< *<= *<> *= *> *>= + - -> ->> -|- / < <-> << <<= <<| <= <> <@ <^ = > >= >> >>= >^
  ? ?# ?& ?- ?-| ?| ?|| @ @-@ @> @? @@ @@@ ^ ^@ | |&> |/ |>> || ||/ ~ ~* ~<=~ ~<~ ~= ~>=~ ~>~ ~~ ~~*`)

/** Names of the operators into which the grammar translates `BETWEEN`. */
export const BETWEEN = new Set(['BETWEEN', 'NOT BETWEEN', 'BETWEEN SYMMETRIC', 'NOT BETWEEN SYMMETRIC'])

export const TYPES = toSet(`
  bigint bigserial bit bool boolean box bpchar bytea char cidr circle date datemultirange daterange decimal float4 float8 inet int int2 int4
  int4multirange int4range int8 int8multirange int8range integer interval json jsonb jsonpath line lseg macaddr macaddr8 money name numeric
  nummultirange numrange oid path point polygon real record regclass regconfig regnamespace regtype serial serial2 serial4 serial8
  smallint smallserial text time timestamp timestamptz timetz tsmultirange tsquery tsrange tstzmultirange tstzrange tsvector unknown uuid
  varbit varchar`)

export const SAMPLING = toSet('bernoulli system')

/** Settings that `SHOW` may read. */
export const SETTINGS = toSet(`
  client_encoding datestyle default_text_search_config intervalstyle lc_collate lc_ctype search_path server_encoding server_version
  server_version_num standard_conforming_strings statement_timeout timezone transaction_isolation transaction_read_only`)

function toSet(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}
