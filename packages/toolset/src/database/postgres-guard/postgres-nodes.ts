/** The allowed parts of PostgreSQL's syntax tree: kinds of nodes, and the fields of each kind. */

/**
 * Fields have the names that PostgreSQL's source uses. `:Kind` follows a field if the parser leaves out the kind of its node. All other
 * kinds and fields are refused, even those that a later version of the grammar adds.
 */
const READING = `
SelectStmt distinctClause targetList fromClause whereClause groupClause groupDistinct havingClause windowClause valuesLists sortClause limitOffset limitCount limitOption lockingClause withClause:WithClause op all larg:SelectStmt rarg:SelectStmt intoClause:IntoClause
ExplainStmt query options
VariableShowStmt name
ResTarget name indirection val
ColumnRef fields
ParamRef number
A_Const ival fval boolval sval bsval isnull
A_Star
A_Expr kind name lexpr rexpr rexpr_list_start rexpr_list_end
A_ArrayExpr elements list_start list_end
A_Indirection arg indirection
A_Indices is_slice lidx uidx
FuncCall funcname args agg_order agg_filter over:WindowDef agg_within_group agg_star agg_distinct func_variadic funcformat
NamedArgExpr arg name argnumber
TypeCast arg typeName:TypeName
TypeName names typmods typemod arrayBounds
CollateClause arg collname
BoolExpr boolop args
NullTest arg nulltesttype
BooleanTest arg booltesttype
CaseExpr arg args defresult
CaseWhen expr result
CoalesceExpr args
MinMaxExpr op args
SubLink subLinkType testexpr operName subselect
RowExpr args row_format colnames
SQLValueFunction op typmod
GroupingFunc args
GroupingSet kind content
SortBy node sortby_dir sortby_nulls useOp
WindowDef name refname partitionClause orderClause frameOptions startOffset endOffset
RangeVar schemaname relname inh relpersistence alias:Alias
RangeSubselect lateral subquery alias:Alias
RangeFunction lateral ordinality is_rowsfrom functions alias:Alias coldeflist
RangeTableSample relation method args repeatable
JoinExpr jointype isNatural larg rarg usingClause join_using_alias:Alias quals alias:Alias
Alias aliasname colnames
WithClause ctes recursive
CommonTableExpr ctename aliascolnames ctematerialized ctequery search_clause:CTESearchClause cycle_clause:CTECycleClause
CTESearchClause search_col_list search_breadth_first search_seq_column
CTECycleClause cycle_col_list cycle_mark_column cycle_mark_value cycle_mark_default cycle_path_column
ColumnDef colname typeName:TypeName compression is_local is_not_null raw_default storage_name collClause:CollateClause constraints
DefElem defname defnamespace arg defaction
List items
String sval
Integer ival
Float fval
Boolean boolval
BitString bsval
JsonObjectConstructor exprs output:JsonOutput absent_on_null unique
JsonArrayConstructor exprs output:JsonOutput absent_on_null
JsonArrayQueryConstructor query output:JsonOutput format:JsonFormat absent_on_null
JsonKeyValue key value:JsonValueExpr
JsonValueExpr raw_expr format:JsonFormat
JsonFormat format_type encoding
JsonReturning format:JsonFormat
JsonOutput typeName:TypeName returning:JsonReturning
JsonFuncExpr op context_item:JsonValueExpr pathspec passing output:JsonOutput on_empty:JsonBehavior on_error:JsonBehavior wrapper quotes
JsonBehavior btype expr coerce
JsonObjectAgg constructor:JsonAggConstructor arg:JsonKeyValue absent_on_null unique
JsonArrayAgg constructor:JsonAggConstructor arg:JsonValueExpr absent_on_null
JsonAggConstructor output:JsonOutput agg_filter agg_order over:WindowDef
JsonIsPredicate expr format:JsonFormat item_type unique_keys
JsonTable context_item:JsonValueExpr pathspec:JsonTablePathSpec passing columns on_error:JsonBehavior alias:Alias lateral
JsonTableColumn coltype name typeName:TypeName pathspec:JsonTablePathSpec format:JsonFormat wrapper quotes columns on_empty:JsonBehavior on_error:JsonBehavior
JsonTablePathSpec string name name_location
JsonArgument val:JsonValueExpr name
JsonParseExpr expr:JsonValueExpr output:JsonOutput unique_keys
JsonScalarExpr expr output:JsonOutput
JsonSerializeExpr expr:JsonValueExpr output:JsonOutput`

/** Excludes tablespaces, owners, table access methods and foreign tables, because they affect the server. */
const WRITING = `
InsertStmt relation:RangeVar cols selectStmt onConflictClause:OnConflictClause returningClause:ReturningClause withClause:WithClause override
UpdateStmt relation:RangeVar targetList whereClause fromClause returningClause:ReturningClause withClause:WithClause
DeleteStmt relation:RangeVar usingClause whereClause returningClause:ReturningClause withClause:WithClause
MergeStmt relation:RangeVar sourceRelation joinCondition mergeWhenClauses returningClause:ReturningClause withClause:WithClause
TruncateStmt relations restart_seqs behavior
CreateStmt relation:RangeVar tableElts inhRelations partbound:PartitionBoundSpec partspec:PartitionSpec constraints nnconstraints options oncommit if_not_exists
CreateTableAsStmt query into:IntoClause objtype if_not_exists
IndexStmt idxname relation:RangeVar accessMethod indexParams indexIncludingParams options whereClause unique nulls_not_distinct concurrent if_not_exists
ViewStmt view:RangeVar aliases query replace options withCheckOption
AlterTableStmt relation:RangeVar cmds objtype missing_ok
RenameStmt renameType relationType relation:RangeVar subname newname behavior missing_ok
DropStmt objects removeType behavior missing_ok
LockingClause lockedRels strength waitPolicy
IntoClause rel:RangeVar colNames options onCommit skipData
OnConflictClause action infer:InferClause targetList whereClause
InferClause indexElems whereClause conname
ReturningClause options exprs
ReturningOption option value
MergeWhenClause matchKind commandType override condition targetList values
MergeSupportFunc msftype
MultiAssignRef source colno ncolumns
SetToDefault
Constraint contype conname deferrable initdeferred is_enforced skip_validation initially_valid is_no_inherit raw_expr generated_when generated_kind nulls_not_distinct keys without_overlaps including exclusions options access_method where_clause pktable:RangeVar fk_attrs pk_attrs fk_with_period pk_with_period fk_matchtype fk_upd_action fk_del_action fk_del_set_cols
TableLikeClause relation:RangeVar options
PartitionSpec strategy partParams
PartitionElem name expr collation opclass
PartitionBoundSpec strategy is_default modulus remainder listdatums lowerdatums upperdatums
IndexElem name expr collation opclass opclassopts ordering nulls_ordering
AlterTableCmd subtype name def behavior missing_ok recurse`

/** Maps each field to the kind of its node. The kind is empty if the node states its own kind, or if the field contains no node. */
export type Fields = ReadonlyMap<string, string>

export const READING_NODES = toTable(READING)
/** Kinds of nodes in statements that may change data. */
export const WRITING_NODES = toTable(WRITING)

/** Allowed values of some fields. Of kinds of objects, only those that contain rows are allowed. */
export const CHOICES: ReadonlyMap<string, ReadonlySet<unknown>> = new Map(
  Object.entries({
    'RangeVar.relpersistence': 'p u',
    'CreateTableAsStmt.objtype': 'OBJECT_TABLE',
    'AlterTableStmt.objtype': 'OBJECT_TABLE OBJECT_INDEX OBJECT_VIEW',
    'RenameStmt.renameType': 'OBJECT_TABLE OBJECT_INDEX OBJECT_VIEW OBJECT_COLUMN OBJECT_TABCONSTRAINT',
    'DropStmt.removeType': 'OBJECT_TABLE OBJECT_INDEX OBJECT_VIEW',
    // `CASCADE` also drops objects and empties tables that the statement doesn't name, even if they belong to another role.
    'DropStmt.behavior': 'DROP_RESTRICT',
    'TruncateStmt.behavior': 'DROP_RESTRICT',
    'AlterTableCmd.behavior': 'DROP_RESTRICT',
    'AlterTableCmd.subtype': `AT_AddColumn AT_DropColumn AT_ColumnDefault AT_AlterColumnType AT_SetNotNull AT_DropNotNull
      AT_SetExpression AT_DropExpression AT_AddIdentity AT_SetIdentity AT_DropIdentity AT_SetStatistics
      AT_AddConstraint AT_AlterConstraint AT_ValidateConstraint AT_DropConstraint`,
  }).map(([field, values]) => [field, new Set(values.split(/\s+/))]),
)

function toTable(text: string): ReadonlyMap<string, Fields> {
  return new Map(
    text
      .trim()
      .split('\n')
      .map((line) => {
        const [kind = '', ...fields] = line.split(' ')
        const entries = fields.map((field) => field.split(':') as [string, string?])
        return [kind, new Map(entries.map(([name, of = '']) => [name, of]))]
      }),
  )
}
