/** `<｜DSML｜tool_calls><｜DSML｜invoke name="F">…`, as written by DeepSeek V4: the tags of V3.2 in a block with a different name. */
import { defineDsml } from './families/invoke/dsml.ts'

export const deepseekV4 = defineDsml('deepseek_v4', 'tool_calls', [/deepseek-v4(?![\d.])/])
