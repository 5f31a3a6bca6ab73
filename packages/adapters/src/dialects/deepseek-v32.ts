/** `<｜DSML｜function_calls><｜DSML｜invoke name="F">…`, as DeepSeek V3.2 writes it. */
import { defineDsml } from './families/invoke/dsml.ts'

export const deepseekV32 = defineDsml('deepseek_v32', 'function_calls', [/deepseek-v3\.2(?!\d|-exp)/])
