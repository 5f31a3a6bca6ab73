/** `<｜DSML｜function_calls><｜DSML｜invoke name="F">…`, as written by DeepSeek V3.2. */
import { defineDsml } from './families/invoke/dsml.ts'

export const deepseekV32 = defineDsml('deepseek_v32', 'function_calls', [/deepseek-v3\.2(?!\d|-exp)/])
