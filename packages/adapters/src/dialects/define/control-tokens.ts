/**
 * Control tokens of chat templates, by model family. They mark roles, tools and results. Each is spelled exactly as in the
 * tokenizer's vocabulary. Reasoning markers aren't included, because they don't start a role and users may write about them. In
 * tool results, a dialect also escapes its own markers. Each family has an export, so that a bundle contains only the ones it needs.
 */

/** Returns tokens in the form `<|NAME|>`, or with another bar. */
function bars(names: string, bar = '|'): readonly string[] {
  return names.split(' ').map((name) => `<${bar}${name}${bar}>`)
}

/** Returns an open tag and an end tag for each name. */
function tags(names: string, [open, close] = '<>'): readonly string[] {
  return names.split(' ').flatMap((name) => [`${open}${name}${close}`, `${open}/${name}${close}`])
}

const CHATML = bars('im_start im_end endoftext')
const LLAMA2 = [...tags('s'), ...tags('INST', '[]'), '<<SYS>>', '<</SYS>>']
const CALL_TAGS = tags('tool_call tool_response')
const ROLE_BARS = bars('system user assistant')

const ARGUMENT_TAGS = tags('arg_key arg_value')
const HUNYUAN_TAGS = [...tags('tool_calls tool_responses'), '<tool_sep>', ...CALL_TAGS, ...ARGUMENT_TAGS]

const LLAMA3 = [...bars('begin_of_text end_of_text start_header_id end_header_id'), ...bars('eot_id eom_id python_tag image')]

const KIMI = [
  ...['[BOS]', '[EOS]', '[EOT]', ...bars('im_system im_user im_assistant im_middle im_end')],
  ...bars('tool_calls_section_begin tool_calls_section_end tool_call_section_begin tool_call_section_end'),
  ...bars('tool_call_begin tool_call_argument_begin tool_call_end'),
  ...bars('media_begin media_content media_end media_pad'),
]

const GEMMA = ['<bos>', '<eos>', '<start_of_turn>', '<end_of_turn>', '<start_of_image>', '<end_of_image>', '<image_soft_token>']

export const apriel: readonly string[] = [
  ...LLAMA2,
  ...ROLE_BARS,
  ...bars('begin_system begin_user begin_assistant begin_content begin_tool_result end'),
  ...['[BEGIN FINAL RESPONSE]', '[END FINAL RESPONSE]', ...tags('tool_calls')],
]
export const chatml: readonly string[] = CHATML
export const cohere: readonly string[] = [
  ...['<BOS_TOKEN>', '<EOS_TOKEN>', '<|START_OF_TURN_TOKEN|>', '<|END_OF_TURN_TOKEN|>'],
  ...bars('SYSTEM_TOKEN USER_TOKEN CHATBOT_TOKEN START_RESPONSE END_RESPONSE'),
  ...bars('START_TEXT END_TEXT START_THINKING END_THINKING START_ACTION END_ACTION'),
  ...['<|START_TOOL_RESULT|>', '<|END_TOOL_RESULT|>'],
]
export const deepseek: readonly string[] = [
  ...bars('begin▁of▁sentence end▁of▁sentence System User Assistant', '｜'),
  ...bars('tool▁calls▁begin tool▁calls▁end tool▁call▁begin tool▁call▁end tool▁sep', '｜'),
  ...[...bars('tool▁outputs▁begin tool▁outputs▁end tool▁output▁begin tool▁output▁end', '｜'), '｜DSML｜'],
]
export const ernie: readonly string[] = [
  ...CHATML,
  ...CALL_TAGS,
  ...bars('begin_of_sentence end_of_sentence'),
  ...tags('s response'),
]
export const exaone: readonly string[] = [
  ...['[BOS]', '[|system|]', '[|user|]', '[|assistant|]', '[|tool|]', '[|endofturn|]'],
  ...[...ROLE_BARS, '<|tool|>', '<|endofturn|>', ...CALL_TAGS],
]
export const functiongemma: readonly string[] = [
  ...GEMMA,
  ...['<start_function_declaration>', '<end_function_declaration>', '<start_function_call>', '<end_function_call>'],
  ...['<start_function_response>', '<end_function_response>', '<escape>'],
]
export const gemma: readonly string[] = GEMMA
export const gemma4: readonly string[] = [
  ...['<bos>', '<eos>', '<|turn>', '<turn|>', '<|tool>', '<tool|>', '<|tool_call>', '<tool_call|>', '<|"|>'],
  ...['<|tool_response>', '<tool_response|>', '<|channel>', '<channel|>', '<|think|>'],
  ...['<|image>', '<image|>', '<|image|>', '<|audio>', '<audio|>', '<|audio|>'],
]
export const glm: readonly string[] = [
  ...['[gMASK]', '<sop>', ...ROLE_BARS, '<|observation|>', '<|endoftext|>', ...CALL_TAGS],
  ...[...ARGUMENT_TAGS, ...bars('begin_of_image end_of_image image')],
]
export const granite: readonly string[] = [
  ...bars('start_of_role end_of_role end_of_text endoftext tool_call'),
  '<function_call>',
  ...CALL_TAGS,
]
export const harmony: readonly string[] = [
  ...bars('start end message channel constrain call return'),
  ...bars('startoftext endoftext endofprompt'),
]
export const hunyuan: readonly string[] = [
  ...bars('startoftext endoftext eos extra_0 extra_4 extra_5'),
  ...bars('hy_begin▁of▁sentence hy_User hy_Assistant hy_EOT', '｜'),
  ...bars('hy_place▁holder▁no▁2 hy_place▁holder▁no▁3 hy_place▁holder▁no▁8', '｜'),
  ...HUNYUAN_TAGS,
  // Newer models add a suffix.
  ...[...bars('hy_begin_of_sentence hy_User hy_Assistant hy_eos reasoning_mode', '｜'), ...HUNYUAN_TAGS].map((token) =>
    token.replace(/｜?>/, ':opensource$&'),
  ),
]
export const internlm: readonly string[] = [...CHATML, ...tags('s'), ...bars('action_start action_end plugin interpreter')]
export const jamba: readonly string[] = [
  ...[...bars('startoftext endoftext bom eom'), ...ROLE_BARS, '<|tool|>'],
  ...tags('tool_calls tool_definitions'),
]
export const kimi: readonly string[] = KIMI
export const kimi_k3: readonly string[] = [...KIMI, ...bars('open close sep end_of_msg')]
export const lfm2: readonly string[] = [
  ...[...CHATML, ...bars('startoftext tool_list_start tool_list_end tool_call_start tool_call_end')],
  ...['<|tool_response_start|>', '<|tool_response_end|>'],
]
export const llama3: readonly string[] = LLAMA3
export const llama4: readonly string[] = [
  ...bars('begin_of_text end_of_text header_start header_end eot eom step'),
  ...bars('python_start python_end image_start image_end image'),
]
export const minimax: readonly string[] = [
  ...['<beginning_of_sentence>', '<end_of_sentence>', ...tags('tool_calls minimax:tool_call')],
  ...[']~!b[', ']~b]', '[e~[', ']!p~[', ']!d~[', ']<]minimax[>['],
]
export const mistral: readonly string[] = [
  ...[...LLAMA2, ...tags('SYSTEM_PROMPT AVAILABLE_TOOLS TOOL_CALLS TOOL_RESULTS', '[]')],
  ...['[ARGS]', '[CALL_ID]', '[TOOL_CONTENT]', '[IMG]', '[IMG_BREAK]', '[IMG_END]'],
]
export const nemotron: readonly string[] = [
  ...['<SPECIAL_10>', '<SPECIAL_11>', '<SPECIAL_12>', ...tags('s AVAILABLE_TOOLS TOOLCALL TOOL_RESPONSE')],
]
export const olmo: readonly string[] = [...CHATML, ...tags('functions function_calls')]
export const phi: readonly string[] = [
  ...[...ROLE_BARS, ...bars('end endoftext im_start im_sep im_end tool /tool')],
  ...bars('tool_call /tool_call tool_response /tool_response'),
]
export const qwen: readonly string[] = [
  ...CHATML,
  ...CALL_TAGS,
  ...bars('vision_start vision_end vision_pad image_pad video_pad'),
]
export const seed: readonly string[] = [
  '<seed:bos>',
  '<seed:eos>',
  '<seed:pad>',
  ...tags('seed:tool_call'),
  '<seed:cot_budget_reflect>',
]
export const step: readonly string[] = [
  ...[...CHATML, '<|BOT|>', '<|EOT|>', ...bars('BOT EOT begin▁of▁sentence end▁of▁sentence', '｜'), ...CALL_TAGS],
  ...bars('tool_calls_begin tool_calls_end tool_call_begin tool_call_end tool_sep', '｜'),
  ...bars('tool_outputs_begin tool_outputs_end tool_output_begin tool_output_end', '｜'),
]
