/** `<｜DSML｜tool_calls><｜DSML｜invoke name="F">…`, as DeepSeek V4 writes it: V3.2's tags in a block with another name. */
import { defineDsml } from './families/invoke/dsml.ts'

export const deepseekV4 = defineDsml('deepseek_v4', 'tool_calls', [/deepseek-v4(?![\d.])/])
